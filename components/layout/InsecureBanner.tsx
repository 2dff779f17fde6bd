import styles from '../ui/Banner.module.css';

/** Warns that this installation is set to run without HTTPS. */
export function InsecureBanner() {
  return (
    <p className={styles.notice}>
      <strong>Connection not encrypted.</strong> Passwords and patient data can be read on the network. Use HTTPS except
      for tests.
    </p>
  );
}
