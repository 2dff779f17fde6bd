import Link from 'next/link';
import { paths } from '../../lib/paths';
import styles from '../ui/Banner.module.css';

/**
 * Stands on every page of a site whose alert rules have not been started, and cannot be put away: who waits for alerts
 * has to know that none will come. Neutral: it is no alarm.
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
