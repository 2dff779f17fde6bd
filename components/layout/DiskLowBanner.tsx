import styles from '../ui/Banner.module.css';

/** On every page of administrators while the disk with the data is nearly full. */
export function DiskLowBanner() {
  return (
    <p className={styles.notice}>
      <strong>The disk of the server is nearly full.</strong> An operator has to make room: on a full disk nothing is
      stored, and what people enter may be refused.
    </p>
  );
}
