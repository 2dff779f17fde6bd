import Link from 'next/link';
import { paths } from '../../lib/paths';
import { Icon } from '../ui/Icon';
import styles from './RulesOffBanner.module.css';

/**
 * On every page of a site whose alert rules are off, the lock screen included: the most dangerous configuration there
 * is (screens.md section 5). It cannot be closed. Neutral and inverse, because it is no alarm.
 */
export function RulesOffBanner({ canAccept }: { canAccept: boolean }) {
  return (
    <p className={styles.bar}>
      <Icon name="warning" />
      <strong>No alerts will be raised.</strong>
      {canAccept ? (
        <span>
          Alert rules are off on this site: they start when you have read and{' '}
          <Link href={paths.adminSite} prefetch={false}>
            accepted the intended use
          </Link>
          .
        </span>
      ) : (
        <span>Alert rules are off on this site: an administrator has to accept the intended use first.</span>
      )}
    </p>
  );
}
