import { useNow } from '../../hooks/useNow';
import { useServerLost } from '../../hooks/useServerLost';
import type { PatientSparks } from '../../hooks/useSparks';
import type { Patient } from '../../lib/patients/schema';
import { valueMark, type MarkedPatient } from '../../lib/patients/valueMark';
import { isSpotChecked } from '../../lib/vitals/isSpotChecked';
import { kinds } from '../../lib/vitals/kinds';
import { shownRate } from '../../lib/vitals/shownRate';
import { sparkMinutes, type SparkKind } from '../../lib/vitals/spark';
import { VitalValue } from '../ui/VitalValue';
import { SparkLine } from '../vitals/SparkLine';
import styles from './LiveVitals.module.css';

interface PatientSparkProps {
  patient: Pick<Patient, 'profile' | 'latest'>;
  kind: SparkKind;
  /** This patient's lines; undefined while they are not known. */
  sparks: PatientSparks | undefined;
  /** The server's time, epoch milliseconds. */
  now: number;
}

const minuteMs = 60_000;

/**
 * The last hour of one value of a patient. While the server does not respond, it moves on with the time and leaves a
 * gap.
 */
function PatientSpark({ patient: { profile, latest }, kind, sparks, now }: PatientSparkProps) {
  const expectedEveryMs = latest[kind]?.expectedEveryMs ?? kinds[kind].expectedEveryMs;
  const minutesPassed = sparks === undefined ? 0 : Math.floor((now - sparks.from) / minuteMs) - sparkMinutes + 1;
  return (
    <SparkLine
      kind={kind}
      text={sparks?.[kind]}
      minutesOld={Math.max(0, minutesPassed)}
      expectedEveryMs={expectedEveryMs}
      isSpot={isSpotChecked(profile, expectedEveryMs)}
    />
  );
}

interface LiveVitalProps {
  patient: MarkedPatient & Pick<Patient, 'profile'>;
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

/** The newest SpO2 with its alert, the target if that is not the usual one, and the line of its last hour. */
export function Spo2Value({ patient, sparks, now, serverLost, timeZone }: ValueProps) {
  return (
    <VitalValue
      kind="spo2"
      latest={patient.latest.spo2}
      now={now}
      serverLost={serverLost}
      timeZone={timeZone}
      mark={valueMark(patient, 'spo2', now, timeZone)}
      below={patient.spo2Scale === 2 ? <ScaleTwo /> : null}
      spark={<PatientSpark patient={patient} kind="spo2" sparks={sparks} now={now} />}
    />
  );
}

/** The target of scale 2: without it a value of 89 % would look too low. */
function ScaleTwo() {
  return (
    <span className={styles.target}>
      <span className="visually-hidden"> target </span>88-92
    </span>
  );
}

/** The heart rate or the pulse rate with its alert and its last hour. Its name says which of the two it is. */
export function RateValue({ patient, sparks, now, serverLost, timeZone }: ValueProps) {
  const { kind, latest } = shownRate(patient.latest, now);
  return (
    <VitalValue
      kind={kind}
      latest={latest}
      now={now}
      serverLost={serverLost}
      timeZone={timeZone}
      mark={valueMark(patient, kind, now, timeZone)}
      isNamed
      spark={<PatientSpark patient={patient} kind={kind} sparks={sparks} now={now} />}
    />
  );
}
