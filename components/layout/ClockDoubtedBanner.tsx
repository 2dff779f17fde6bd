import Link from 'next/link';
import { paths } from '../../lib/paths';
import styles from '../ui/Banner.module.css';

/** On every page of administrators while the server's clock may be wrong by more than a day. */
export function ClockDoubtedBanner() {
  return (
    <p className={styles.notice}>
      <strong>The server’s clock may be wrong by more than a day:</strong>{' '}
      <Link href={paths.adminSite} prefetch={false}>
        look at it
      </Link>
      . Until then no old values are deleted.
    </p>
  );
}
