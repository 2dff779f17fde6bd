import { useRef, useState } from 'react';
import { useNow } from '../../../hooks/useNow';
import { useServerLost } from '../../../hooks/useServerLost';
import type { Patient } from '../../../lib/patients/schema';
import { pauseLeft } from '../../../lib/patients/pauseWords';
import { formatClock } from '../../../lib/time/formatTime';
import { EndStandby } from '../../care/EndStandby';
import styles from './PauseMarks.module.css';

interface PauseMarksProps {
  patient: Pick<Patient, 'id' | 'standby' | 'comfortCare'>;
  /** The server's time when the page was made, for the first paint. */
  initialNow: number;
  timeZone: string;
  /** Whether the user may end a standby. */
  canEnd: boolean;
  onEnded: () => void;
}

/**
 * Says that alerts are paused, and for how long; while the server does not respond, until when. Ends by the clock,
 * without waiting for a poll, and a standby at a press on its End.
 */
export function PauseMarks({ patient, initialNow, timeZone, canEnd, onEnded }: PauseMarksProps) {
  const { id, standby, comfortCare } = patient;
  const now = useNow(initialNow);
  const isLost = useServerLost() !== null;
  const place = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState('');
  const wordsOf = (pause: { until: string } | null): string | null => {
    const left = pauseLeft(pause, now);
    if (left === null || pause === null) {
      return null;
    }
    return isLost ? ` until ${formatClock(Date.parse(pause.until), now, timeZone)}` : `, ${left} left`;
  };
  const inStandby = wordsOf(standby);
  const inComfortCare = wordsOf(comfortCare);
  return (
    <div ref={place} tabIndex={-1} className={styles.marks}>
      {inStandby === null ? null : (
        <div className={styles.standby}>
          <strong className={styles.mark}>Standby: new alerts held back{inStandby}</strong>
          {canEnd ? (
            <EndStandby
              patientId={id}
              label="End"
              onEnded={() => {
                // The button goes with the standby.
                place.current?.focus();
                setSaid('Standby ended');
                onEnded();
              }}
            />
          ) : null}
        </div>
      )}
      {inComfortCare === null ? null : <strong className={styles.mark}>Comfort care{inComfortCare}</strong>}
      <span role="status" className="visually-hidden">
        {said}
      </span>
    </div>
  );
}
