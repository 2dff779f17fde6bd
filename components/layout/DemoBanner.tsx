import styles from '../ui/Banner.module.css';

/** On every page of a demo ward: its numbers are not those of people. Neutral, because it is not an alarm. */
export function DemoBanner() {
  return (
    <p className={styles.notice}>
      <strong>Demo.</strong> All patients and readings are simulated.
    </p>
  );
}
