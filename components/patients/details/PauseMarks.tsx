import { useNow } from '../../../hooks/useNow';
import type { Patient } from '../../../lib/patients/schema';
import { pauseLeft } from '../../../lib/patients/pauseWords';
import styles from './PauseMarks.module.css';

interface PauseMarksProps {
  patient: Pick<Patient, 'standby' | 'comfortCare'>;
  /** The server's time when the page was made, for the first paint. */
  initialNow: number;
}

/** Says that alerts are paused, and for how long. Ends by the clock, without waiting for a poll. */
export function PauseMarks({ patient: { standby, comfortCare }, initialNow }: PauseMarksProps) {
  const now = useNow(initialNow);
  const standbyLeft = pauseLeft(standby, now);
  const comfortCareLeft = pauseLeft(comfortCare, now);
  return (
    <>
      {standbyLeft === null ? null : (
        <strong className={styles.mark}>Standby: new alerts held back, {standbyLeft} left</strong>
      )}
      {comfortCareLeft === null ? null : <strong className={styles.mark}>Comfort care, {comfortCareLeft} left</strong>}
    </>
  );
}
