import styles from './AlertSettings.module.css';

/** What a proposal changes, a line each. */
export function Difference({ lines }: { lines: readonly string[] }) {
  return (
    <ul className={styles.difference}>
      {lines.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
