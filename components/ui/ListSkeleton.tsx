import styles from './ListSkeleton.module.css';

/** A list's shape until its first rows arrive. `label` says what is loading. */
export function ListSkeleton({ label, rows = 8 }: { label: string; rows?: number }) {
  return (
    <div className={styles.rows} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="ant-skeleton ant-skeleton-element wardlight ant-skeleton-active ant-skeleton-block">
          <span className="ant-skeleton-input" />
        </div>
      ))}
    </div>
  );
}
