import Link from 'next/link';
import { useRead } from '../../hooks/useRead';
import { paths } from '../../lib/paths';
import styles from './admin.module.css';

/** Says that a use of emergency access waits for review. A mail says so too, but may never arrive. */
export function EmergencyNotice() {
  const unseen = useRead('listBreakGlass', {}).data?.unseen ?? 0;
  return (
    <div role="status" className={unseen === 0 ? undefined : styles.said}>
      {unseen === 0 ? null : (
        <>
          <strong>
            {unseen === 1 ? 'One use of emergency access waits' : `${unseen} uses of emergency access wait`} for review.
          </strong>{' '}
          <Link href={paths.adminEmergencyAccess} prefetch={false}>
            Review
          </Link>
        </>
      )}
    </div>
  );
}
