import { useNow } from '../../../hooks/useNow';
import type { Patient } from '../../../lib/patients/schema';
import { silentGatewayWords } from '../../../lib/patients/silentGatewayWords';
import styles from './PauseMarks.module.css';

interface SilentGatewayMarkProps {
  patient: Pick<Patient, 'silentGateway'>;
  /** The server's time when the page was made, for the first paint. */
  initialNow: number;
  timeZone: string;
}

/** Says why no values come: the alert is the gateway's, and the patient has none for it. */
export function SilentGatewayMark({ patient, initialNow, timeZone }: SilentGatewayMarkProps) {
  const words = silentGatewayWords(patient, useNow(initialNow), timeZone);
  return (
    <div role="status" className={styles.marks}>
      {words === null ? null : <strong className={styles.mark}>{words}</strong>}
    </div>
  );
}
