import styles from '../ui/Banner.module.css';

/** Says that this installation was told to run without HTTPS, so that nobody takes that for the normal state. */
export function InsecureBanner() {
  return (
    <p className={styles.notice}>
      <strong>Connection not encrypted.</strong> Passwords and patient data can be read on the network. Use HTTPS except
      for tests.
    </p>
  );
}
