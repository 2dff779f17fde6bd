import type { PatientSparks } from '../../hooks/useSparks';
import type { Patient } from '../../lib/patients/schema';
import { isSpotChecked } from '../../lib/vitals/isSpotChecked';
import { kinds } from '../../lib/vitals/kinds';
import { sparkMinutes, type SparkKind } from '../../lib/vitals/spark';
import { SparkLine } from '../vitals/SparkLine';

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
export function PatientSpark({ patient: { profile, latest }, kind, sparks, now }: PatientSparkProps) {
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
