import { memo } from 'react';
import type { Patient } from '../../lib/patients/schema';
import { noNews2Because, patientNews2 } from '../../lib/patients/patientNews2';
import styles from './News2Cell.module.css';
import { news2Missing, news2NotFor, news2Number, news2ShortMeaning } from './news2Words';

interface News2CellProps {
  patient: Pick<Patient, 'latest' | 'spo2Scale' | 'dateOfBirth' | 'news2ExemptFor'>;
  /** The server's time, epoch milliseconds. */
  now: number;
  /** Since when the server has not responded, epoch milliseconds; null while it responds. */
  serverLost: number | null;
  timeZone: string;
}

/** NEWS2 of a row, computed from the row's values at the row's time, so that it ages with them. */
export function News2Cell({ patient, now, serverLost, timeZone }: News2CellProps) {
  const score = patientNews2(patient, now, timeZone);
  const because = noNews2Because(patient, now, timeZone);
  return score === null ? (
    <News2Text
      number="--"
      meaning={because === null ? '' : news2NotFor[because]}
      missing=""
      isComplete={false}
      isLive
    />
  ) : (
    <News2Text
      number={news2Number(score)}
      meaning={news2ShortMeaning(score)}
      missing={news2Missing(score)}
      isComplete={score.complete}
      isLive={serverLost === null}
    />
  );
}

interface News2TextProps {
  number: string;
  meaning: string;
  missing: string;
  isComplete: boolean;
  isLive: boolean;
}

/** Renders again only when the score changes. */
const News2Text = memo(function News2Text({ number, meaning, missing, isComplete, isLive }: News2TextProps) {
  return (
    <span className={styles.score} data-current="" title={missing === '' ? undefined : missing}>
      <span className={isComplete ? styles.whole : styles.open}>
        {number}
        {isLive ? null : <span className={styles.meaning}> not live</span>}
        <span className="visually-hidden">, </span>
      </span>
      <span className={styles.meaning}>{meaning}</span>
    </span>
  );
});
