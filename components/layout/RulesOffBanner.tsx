import Link from 'next/link';
import { paths } from '../../lib/paths';
import styles from '../ui/Banner.module.css';

/**
 * On every page of a site whose alert rules are off. It cannot be closed: users who rely on alerts must know that none
 * will be raised. Neutral, because it is not an alarm.
 */
export function RulesOffBanner({ canAccept }: { canAccept: boolean }) {
  return (
    <p className={styles.notice}>
      <strong>Alert rules are off on this site:</strong>{' '}
      {canAccept ? (
        <>
          they start when you have read and{' '}
          <Link href={paths.adminSite} prefetch={false}>
            accepted the intended use
          </Link>
          .
        </>
      ) : (
        'an administrator has to accept the intended use first.'
      )}{' '}
      No alert will be raised.
    </p>
  );
}
