import Link from 'next/link';
import { paths } from '../../lib/paths';
import styles from '../ui/Banner.module.css';

/** On every page of administrators whose site accepted an older intended use. The alert rules keep running. */
export function IntendedUseChangedBanner() {
  return (
    <p className={styles.notice}>
      <strong>The intended use has changed since your site accepted it:</strong> read it and{' '}
      <Link href={paths.adminSite} prefetch={false}>
        accept it again
      </Link>
      . The alert rules keep running.
    </p>
  );
}
