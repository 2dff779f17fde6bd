import Link from 'next/link';
import { paths } from '../../lib/paths';
import { intendedUse } from '../../lib/site/intendedUse';
import { safetyLine } from '../../lib/site/safetyLine';
import styles from './SafetyStatement.module.css';

/** What the product is not, in full: before the first sign-in and under "Intended use" (screens.md section 10). */
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

/** The same in a line at the foot of every page, with the way to the whole statement. */
export function SafetyLine() {
  return (
    <p className={styles.line}>
      <span>{safetyLine} Keep bedside alarms on and audible.</span>{' '}
      <Link href={paths.intendedUse} prefetch={false}>
        Intended use
      </Link>
    </p>
  );
}
