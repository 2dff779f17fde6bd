import { memo } from 'react';
import type { Patient } from '../../lib/patients/schema';
import { patientNews2 } from '../../lib/patients/patientNews2';
import styles from './News2Cell.module.css';
import { news2Missing, news2Number, news2ShortMeaning } from './news2Words';

interface News2CellProps {
  patient: Pick<Patient, 'latest' | 'spo2Scale' | 'dateOfBirth'>;
  /** The server's time, epoch milliseconds. */
  now: number;
}

/** NEWS2 of a row, computed from the row's values at the row's time, so that it ages with them. */
export function News2Cell({ patient, now }: News2CellProps) {
  const score = patientNews2(patient, now);
  return score === null ? (
    <News2Text number="--" meaning="not under 16 years" missing="" isComplete={false} />
  ) : (
    <News2Text
      number={news2Number(score)}
      meaning={news2ShortMeaning(score)}
      missing={news2Missing(score)}
      isComplete={score.complete}
    />
  );
}

interface News2TextProps {
  number: string;
  meaning: string;
  missing: string;
  isComplete: boolean;
}

/** Renders again only when the score changes. */
const News2Text = memo(function News2Text({ number, meaning, missing, isComplete }: News2TextProps) {
  return (
    <span className={styles.score} title={missing === '' ? undefined : missing}>
      <span className={isComplete ? styles.whole : styles.open}>
        {number}
        <span className="visually-hidden">, </span>
      </span>
      <span className={styles.meaning}>{meaning}</span>
    </span>
  );
});
