import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
import type { PatientSparks } from '../../hooks/useSparks';
import type { Patient } from '../../lib/patients/schema';
import { shownRate } from '../../lib/vitals/shownRate';
import { VitalLabel } from '../ui/VitalLabel';
import { VitalValue } from '../ui/VitalValue';
import styles from './LiveVitals.module.css';
import { PatientSpark } from './PatientSpark';

interface LiveVitalProps {
  patient: Pick<Patient, 'profile' | 'latest'>;
  /** The same patient's spark lines; undefined while they are not known. */
  sparks: PatientSparks | undefined;
  /** The server's time when the page was made, for the first paint. */
  initialNow: number;
  timeZone: string;
}

/** The newest SpO2. Its age changes each second without a render of the table around it. */
export function LiveSpo2({ initialNow, ...shared }: LiveVitalProps) {
  return <Spo2Value {...shared} now={useNow(initialNow)} serverLost={useServerLost()} />;
}

/** The heart rate or the pulse rate, in the same way. */
export function LiveRate({ initialNow, ...shared }: LiveVitalProps) {
  return <RateValue {...shared} now={useNow(initialNow)} serverLost={useServerLost()} />;
}

interface ValueProps extends Omit<LiveVitalProps, 'initialNow'> {
  /** The server's time, and since when it has not responded, epoch milliseconds. */
  now: number;
  serverLost: number | null;
}

/** The newest SpO2 with the line of its last hour. */
export function Spo2Value({ patient, sparks, now, serverLost, timeZone }: ValueProps) {
  return (
    <VitalValue
      kind="spo2"
      latest={patient.latest.spo2}
      now={now}
      serverLost={serverLost}
      timeZone={timeZone}
      spark={<PatientSpark patient={patient} kind="spo2" sparks={sparks} now={now} />}
    />
  );
}

/** The heart rate or the pulse rate with its last hour. The label says which of the two it is. */
export function RateValue({ patient, sparks, now, serverLost, timeZone }: ValueProps) {
  const { kind, latest } = shownRate(patient.latest, now);
  return (
    <>
      <span className={styles.label}>
        <VitalLabel kind={kind} />{' '}
      </span>
      <VitalValue
        kind={kind}
        latest={latest}
        now={now}
        serverLost={serverLost}
        timeZone={timeZone}
        spark={<PatientSpark patient={patient} kind={kind} sparks={sparks} now={now} />}
      />
    </>
  );
}
