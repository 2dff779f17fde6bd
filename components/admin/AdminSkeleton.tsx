import { Skeleton } from 'antd';
import styles from './admin.module.css';

/** A list's shape while its first rows are on their way; `label` says what is loading. */
export function AdminSkeleton({ label, rows = 5 }: { label: string; rows?: number }) {
  return (
    <div className={styles.rows} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton.Input key={row} active block />
      ))}
    </div>
  );
}
