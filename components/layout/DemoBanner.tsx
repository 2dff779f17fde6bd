import styles from '../ui/Banner.module.css';

/**
 * Stands on every page of a demo ward, so that nobody takes its numbers for those of people. Neutral: it is no alarm.
 */
export function DemoBanner() {
  return (
    <p className={styles.notice}>
      <strong>Simulated patients.</strong> All patients and values on this ward are invented.
    </p>
  );
}
