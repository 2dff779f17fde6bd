import { useNow } from '../../../hooks/useNow';
import type { Patient } from '../../../lib/patients/schema';
import { parseInstant } from '../../../lib/time/parseInstant';
import styles from './IdentityBanner.module.css';

interface PauseMarksProps {
  patient: Pick<Patient, 'standby' | 'comfortCare'>;
  /** The server's time when the page was made, for the first paint. */
  initialNow: number;
}

/** That alerts are held back, and for how long: there as long as it is so, and gone without waiting for a poll. */
export function PauseMarks({ patient: { standby, comfortCare }, initialNow }: PauseMarksProps) {
  const now = useNow(initialNow);
  const standbyMs = remainingMs(standby?.until, now);
  const comfortCareMs = remainingMs(comfortCare?.until, now);
  return (
    <>
      {standbyMs > 0 ? <strong className={styles.mark}>Standby: new alerts held back, {remainingText(standbyMs)} left</strong> : null}
      {comfortCareMs > 0 ? <strong className={styles.mark}>Comfort care, {remainingText(comfortCareMs)} left</strong> : null}
    </>
  );
}

function remainingMs(until: string | undefined, now: number): number {
  return until === undefined ? 0 : (parseInstant(until) ?? 0) - now;
}

const minuteMs = 60_000;

/** The time that is left as people count it, never shorter than it is: "12 min", and above two hours "23 h". */
function remainingText(ms: number): string {
  return ms > 120 * minuteMs ? `${Math.ceil(ms / (60 * minuteMs))} h` : `${Math.ceil(ms / minuteMs)} min`;
}
