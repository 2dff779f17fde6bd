import { useNow } from '../../../hooks/useNow';
import { useServerLost } from '../../../hooks/useServerLost';
import { news2ExemptWords } from '../../../lib/patients/news2Exemption';
import { noNews2Because, patientNews2 } from '../../../lib/patients/patientNews2';
import type { Patient } from '../../../lib/patients/schema';
import { kinds } from '../../../lib/vitals/kinds';
import { news2Kinds, type News2Kind } from '../../../lib/vitals/news2Kinds';
import type { News2 } from '../../../lib/vitals/news2Schema';
import { formatVital } from '../../../lib/vitals/roundVital';
import { news2Labels, news2Meaning, news2Number } from '../news2Words';
import styles from './News2Panel.module.css';

interface News2PanelProps {
  patient: Pick<Patient, 'latest' | 'spo2Scale' | 'dateOfBirth' | 'news2ExemptFor'>;
  /** The server's time at the first paint, epoch milliseconds. */
  now: number;
  timeZone: string;
}

/** NEWS2 with its seven parts, each with its points or "missing". Computed each second, as the values age. */
export function News2Panel({ patient, now: initialNow, timeZone }: News2PanelProps) {
  const now = useNow(initialNow);
  const score = patientNews2(patient, now, timeZone);
  const isLive = useServerLost() === null;
  if (score === null) {
    const because = noNews2Because(patient, now, timeZone);
    return (
      <p className={styles.note}>
        {because === null || because === 'under_16'
          ? 'NEWS2 is not for patients under 16 years.'
          : `NEWS2 does not apply to this patient: ${news2ExemptWords[because]}.`}
      </p>
    );
  }
  return (
    <div role="group" aria-label="NEWS2" className={styles.panel} data-current="">
      <p className={styles.total}>
        NEWS2 <strong>{news2Number(score)}</strong>{' '}
        <span className={styles.note}>
          {isLive ? null : 'not live, '}
          {news2Meaning(score)}
        </span>
      </p>
      <dl className={styles.parts}>
        {shownParts(score).map((kind) => (
          <div key={kind}>
            <dt>
              {kind === 'spo2' ? (
                <>
                  SpO<sub>2</sub>, scale {score.scale}
                </>
              ) : (
                news2Labels[kind]
              )}
            </dt>
            <dd>{partText(kind, score)}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>
        Values count for 60 min; monitor values only while they are shown and certain. © Royal College of Physicians
        2017.
      </p>
    </div>
  );
}

/** Returns the seven parts: of the two rates the one that counts. */
function shownParts({ parts, missing }: News2): News2Kind[] {
  return news2Kinds.filter((kind) => parts[kind] !== undefined || missing.includes(kind));
}

function partText(kind: News2Kind, { parts }: News2): string {
  const part = parts[kind];
  if (part === undefined) {
    return 'missing';
  }
  const { value, points } = part;
  const shown =
    typeof value === 'string'
      ? value
      : kind === 'oxygenFlow' && value === 0
        ? 'air'
        : `${formatVital(kind, value)} ${kinds[kind].unit}`;
  if (points === null) {
    return `${shown}: points depend on oxygen`;
  }
  return `${shown}: ${points} ${points === 1 ? 'point' : 'points'}`;
}
