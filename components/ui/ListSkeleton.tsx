import styles from './ListSkeleton.module.css';

/** The list's shape while its first rows are on their way. */
export function PatientsSkeleton() {
  return (
    <div className={styles.rows} role="status" aria-label="Patients are loading">
      {Array.from({ length: 8 }, (_, row) => (
        <div key={row} className="ant-skeleton ant-skeleton-element wardlight ant-skeleton-active ant-skeleton-block">
          <span className="ant-skeleton-input" />
        </div>
      ))}
    </div>
  );
}
