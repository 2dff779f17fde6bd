import Link from 'next/link';
import { useRead } from '../../hooks/useRead';
import { paths } from '../../lib/paths';
import styles from './admin.module.css';

/** Says on the first page of the administration that an emergency access waits, because a mail may never arrive. */
export function EmergencyNotice() {
  const unseen = useRead('listBreakGlass', {}).data?.unseen ?? 0;
  return (
    <div role="status" className={unseen === 0 ? undefined : styles.said}>
      {unseen === 0 ? null : (
        <>
          <strong>
            {unseen === 1 ? 'An emergency access waits' : `${unseen} emergency accesses wait`} to be taken note of.
          </strong>{' '}
          <Link href={paths.adminEmergencyAccess} prefetch={false}>
            See who and why
          </Link>
        </>
      )}
    </div>
  );
}
