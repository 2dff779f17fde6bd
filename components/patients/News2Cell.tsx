import { memo } from 'react';
import type { NumberMark } from '../../lib/alerts/numberMark';
import type { Patient } from '../../lib/patients/schema';
import { noNews2Because, shownNews2 } from '../../lib/patients/patientNews2';
import { MarkedNumber } from '../ui/MarkedNumber';
import styles from './News2Cell.module.css';
import { news2Missing, news2NotFor, news2Number, news2ShortMeaning } from './news2Words';

interface News2CellProps {
  patient: Pick<Patient, 'latest' | 'spo2Scale' | 'dateOfBirth' | 'news2ExemptFor'>;
  /** How the score shows its own alert; null: it has none. */
  mark: NumberMark | null;
  /** The server's time, epoch milliseconds. */
  now: number;
  /** Since when the server has not responded, epoch milliseconds; null while it responds. */
  serverLost: number | null;
  timeZone: string;
}

/** NEWS2 of a row, computed from the row's values at the row's time, so that it ages with them while they are live. */
export function News2Cell({ patient, mark, now, serverLost, timeZone }: News2CellProps) {
  const score = shownNews2(patient, { now, serverLost, timeZone });
  const because = noNews2Because(patient, now, timeZone);
  return score === null ? (
    <News2Text
      mark={mark}
      number="--"
      meaning={because === null ? '' : news2NotFor[because]}
      missing=""
      isComplete={false}
      isLive
    />
  ) : (
    <News2Text
      mark={mark}
      number={news2Number(score)}
      meaning={news2ShortMeaning(score)}
      missing={news2Missing(score, patient.latest, serverLost ?? now)}
      isComplete={score.complete}
      isLive={serverLost === null}
    />
  );
}

interface News2TextProps {
  mark: NumberMark | null;
  number: string;
  meaning: string;
  missing: string;
  isComplete: boolean;
  isLive: boolean;
}

/** Without an alert of its own renders again only when the score changes. */
const News2Text = memo(function News2Text({ mark, number, meaning, missing, isComplete, isLive }: News2TextProps) {
  return (
    <span className={styles.score} data-current="" title={missing === '' ? undefined : `${meaning}. ${missing}`}>
      <span className={isComplete ? undefined : styles.open}>
        {mark === null ? null : <span className="visually-hidden">{mark.words}, NEWS2 </span>}
        <MarkedNumber mark={mark}>{number}</MarkedNumber>
        {isLive ? null : <span className={styles.meaning}> not live</span>}
        <span className="visually-hidden">, </span>
      </span>
      <span className={styles.meaning}>{meaning}</span>
    </span>
  );
});
