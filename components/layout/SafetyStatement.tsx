import styles from './SafetyStatement.module.css';

/** What the product is not; stands at the first login in full, and in short at the foot of every page. */
export function SafetyStatement() {
  return (
    <section className={styles.statement} aria-labelledby="safety-statement">
      <h2 id="safety-statement">Before you rely on it</h2>
      <ul>
        <li>
          Wardlight is not a medical device: it is not cleared, CE-marked or UKCA-marked. Use it for evaluation, training or research.
        </li>
        <li>
          It is an information display, not a primary alarm. What it shows may be late, missing or wrong. Keep the bedside monitor’s own
          alarms on and audible, and stay with the patient as required.
        </li>
        <li>It is not an emergency service. Its limits are for adults and not validated; clinical judgement prevails.</li>
        <li>
          Pulse oximetry is limited by weak perfusion, motion, nail polish, skin pigmentation and carbon monoxide; readings may
          overestimate.
        </li>
        <li>All times are the site’s time. If the screen says “NOT LIVE”, nothing on it is known to be true now.</li>
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
