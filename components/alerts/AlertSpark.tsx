import { useContext } from 'react';
import { useNow } from '../../hooks/useNow';
import type { AlertItem } from '../../lib/alerts/schema';
import { isSpotChecked } from '../../lib/vitals/isSpotChecked';
import { kinds } from '../../lib/vitals/kinds';
import { sparkMinutes } from '../../lib/vitals/spark';
import { sparkAxis } from '../../lib/vitals/sparkShape';
import { SparkLine } from '../vitals/SparkLine';
import { rateKind } from './alertReading';
import styles from './AlertSpark.module.css';
import { AlertValuesContext } from './AlertValues';

const minuteMs = 60_000;
/** The target ranges of SpO2 by scale, in percent (clinical.md section 2.4). */
const targets = { 1: { low: 94, high: 98 }, 2: { low: 88, high: 92 } } as const;

/** The last hour of the value that an alert is about, with the patient's target range behind it. */
export function AlertSpark({ alert, initialNow }: { alert: AlertItem; initialNow: number }) {
  const now = useNow(initialNow);
  const { patients, sparks } = useContext(AlertValuesContext);
  const { parameter, patientId } = alert;
  const patient = patientId === null ? undefined : patients.get(patientId);
  // An empty frame would say that there was no value in this hour.
  if (patient === undefined || sparks === undefined || (parameter !== 'spo2' && parameter !== 'rate')) {
    return <span className={styles.spark} />;
  }
  const kind = parameter === 'spo2' ? 'spo2' : rateKind(alert, patient, now);
  const lines = sparks.get(patient.id);
  const minutesPassed = lines === undefined ? 0 : Math.floor((now - lines.from) / minuteMs) - sparkMinutes + 1;
  const expectedEveryMs = patient.latest[kind]?.expectedEveryMs ?? kinds[kind].expectedEveryMs;
  return (
    <span className={styles.spark}>
      {kind === 'spo2' ? <TargetBand {...targets[patient.spo2Scale]} /> : null}
      <SparkLine
        kind={kind}
        text={lines?.[kind]}
        minutesOld={Math.max(0, minutesPassed)}
        expectedEveryMs={expectedEveryMs}
        isSpot={isSpotChecked(patient.profile, expectedEveryMs)}
      />
    </span>
  );
}

function TargetBand({ low, high }: { low: number; high: number }) {
  const { min, max } = sparkAxis('spo2');
  const share = (value: number): string => `${(100 * value) / (max - min)}%`;
  return <span className={styles.band} style={{ top: share(max - high), height: share(high - low) }} />;
}
