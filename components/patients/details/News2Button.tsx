import { useState } from 'react';
import { useNow } from '../../../hooks/useNow';
import { useServerLost } from '../../../hooks/useServerLost';
import { news2ExemptWords } from '../../../lib/patients/news2ExemptFor';
import { noNews2Because, shownNews2 } from '../../../lib/patients/patientNews2';
import type { Patient } from '../../../lib/patients/schema';
import { kinds } from '../../../lib/vitals/kinds';
import { news2Kinds, type News2Kind } from '../../../lib/vitals/news2Kinds';
import { formatTime } from '../../../lib/time/formatTime';
import type { News2 } from '../../../lib/vitals/news2Schema';
import { formatVital } from '../../../lib/vitals/roundVital';
import type { LatestValues } from '../../../lib/vitals/schema';
import { onDemand } from '../../ui/onDemand';
import { news2Labels, news2Total, whyNotCounted } from '../news2Words';
import styles from './News2Button.module.css';

interface News2ButtonProps {
  patient: Patient;
  /** The server's time at the first paint, epoch milliseconds. */
  now: number;
  timeZone: string;
  canRecord: boolean;
  /** Called when readings were saved. */
  onSaved: () => void;
}

const ReadingsDrawer = onDemand(() => import('./ReadingsDrawer').then((module) => module.ReadingsDrawer));

/** One letter for each part, as on the paper chart; both rates are the pulse. */
const letters = {
  respiratoryRate: 'R',
  spo2: 'S',
  oxygenFlow: 'O',
  systolic: 'B',
  pulseRate: 'P',
  heartRate: 'P',
  consciousness: 'C',
  temperature: 'T',
} as const satisfies Record<News2Kind, string>;

/**
 * NEWS2 in one line with its seven parts, each with its points; a missing one is dashed. Computed each second, as the
 * values age; while the server does not respond, as it was, with that time. Pressing it opens the form for readings.
 */
export function News2Button({ patient, now: initialNow, timeZone, canRecord, onSaved }: News2ButtonProps) {
  const now = useNow(initialNow);
  const [isOpen, setIsOpen] = useState(false);
  const serverLost = useServerLost();
  const score = shownNews2(patient, { now, serverLost, timeZone });
  const lostAt = serverLost === null ? null : formatTime(serverLost, timeZone);
  const content =
    score === null ? (
      <span>{whyNone(patient, now, timeZone)}</span>
    ) : (
      <Score score={score} latest={patient.latest} at={serverLost ?? now} lostAt={lostAt} />
    );
  if (!canRecord || patient.state !== 'active') {
    return (
      <div role="group" aria-label="NEWS2" className={styles.score} data-current="">
        {content}
      </div>
    );
  }
  return (
    <>
      <button
        type="button"
        className={styles.score}
        data-current=""
        title="Enter readings"
        onClick={() => setIsOpen(true)}
      >
        {content}
        <span className="visually-hidden">. Enter readings</span>
      </button>
      {isOpen ? (
        <ReadingsDrawer
          patient={patient}
          timeZone={timeZone}
          onClose={() => setIsOpen(false)}
          onSaved={() => {
            setIsOpen(false);
            onSaved();
          }}
        />
      ) : null}
    </>
  );
}

interface ScoreProps {
  score: News2;
  latest: LatestValues;
  /** When the score was computed, epoch milliseconds. */
  at: number;
  lostAt: string | null;
}

function Score({ score, latest, at, lostAt }: ScoreProps) {
  const total = news2Total(score);
  return (
    <>
      <span>
        NEWS2 <strong>{total}</strong>
        {lostAt === null ? null : `, not live, ${lostAt}`}
        <span className="visually-hidden">. </span>
      </span>
      <span className={styles.parts}>
        {shownParts(score).map((kind) => {
          const part = score.parts[kind];
          const text = partText(kind, score, latest, at);
          return (
            <span
              key={kind}
              className={styles.part}
              data-missing={part === undefined ? '' : undefined}
              data-points={part?.points ?? undefined}
              title={text}
            >
              <span aria-hidden="true">
                {letters[kind]}
                {part === undefined ? null : (part.points ?? '?')}
              </span>
              <span className="visually-hidden">{text}; </span>
            </span>
          );
        })}
      </span>
    </>
  );
}

function whyNone(patient: Patient, now: number, timeZone: string): string {
  const because = noNews2Because(patient, now, timeZone);
  return because === null || because === 'under_16'
    ? 'NEWS2 is not for patients under 16 years.'
    : `NEWS2 does not apply: ${news2ExemptWords[because]}.`;
}

/** Returns the seven parts: of the two rates the one that counts. */
function shownParts({ parts, missing }: News2): News2Kind[] {
  return news2Kinds.filter((kind) => parts[kind] !== undefined || missing.includes(kind));
}

/** "SpO2, scale 1: 91 %: 3 points", "Temperature: too old (14 h)". */
function partText(kind: News2Kind, { parts, scale }: News2, latest: LatestValues, at: number): string {
  const part = parts[kind];
  const name = kind === 'spo2' ? `SpO2, scale ${scale}` : news2Labels[kind];
  if (part === undefined) {
    return `${name}: ${whyNotCounted(kind, latest, at)}`;
  }
  const { value, points } = part;
  const shown =
    typeof value === 'string'
      ? value
      : kind === 'oxygenFlow' && value === 0
        ? 'air'
        : `${formatVital(kind, value)} ${kinds[kind].unit}`;
  return points === null
    ? `${name}: ${shown}: points depend on oxygen`
    : `${name}: ${shown}: ${points} ${points === 1 ? 'point' : 'points'}`;
}
