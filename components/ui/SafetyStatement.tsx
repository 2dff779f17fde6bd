import { intendedUse } from '../../lib/site/intendedUse';
import styles from './SafetyStatement.module.css';

/** What the product is not: in full on the pages before sign-in, in short at the foot of every other page. */
export function SafetyStatement() {
  return (
    <section className={styles.statement} aria-labelledby="safety-statement">
      <h2 id="safety-statement">Before you rely on Wardlight</h2>
      <ul>
        {intendedUse.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </section>
  );
}

export function SafetyLine() {
  return (
    <p className={styles.line}>
      Information display, not a primary alarm and not a certified medical device. Keep bedside alarms on and audible.
    </p>
  );
}
