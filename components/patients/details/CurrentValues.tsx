import { useMemo } from 'react';
import { useNotedArrivals, useNotedSamples } from '../../../hooks/PageValuesProvider';
import { useNow } from '../../../hooks/useNow';
import { useServerLost } from '../../../hooks/useServerLost';
import type { Patient } from '../../../lib/patients/schema';
import { vitalKinds, type VitalKind } from '../../../lib/vitals/kinds';
import type { LatestValues } from '../../../lib/vitals/schema';
import { VitalLabel } from '../../ui/VitalLabel';
import { VitalValue } from '../../ui/VitalValue';
import styles from './CurrentValues.module.css';

interface CurrentValuesProps {
  patient: Pick<Patient, 'id' | 'latest'>;
  /** The server's time at the first paint, epoch milliseconds. */
  now: number;
  timeZone: string;
}

/** The newest value of each kind with its age and its source. Renders each second, without the page around it. */
export function CurrentValues({ patient: { id, latest }, now: initialNow, timeZone }: CurrentValuesProps) {
  const now = useNow(initialNow);
  const serverLost = useServerLost();
  const patients = useMemo(() => [{ id, latest }], [id, latest]);
  useNotedSamples(patients);
  useNotedArrivals(patients);
  return (
    <dl className={styles.values}>
      {shownKinds(latest).map((kind) => (
        <div key={kind} className={styles.value}>
          <dt>
            <span>
              <VitalLabel kind={kind} />
            </span>
            <span className={styles.source}>{latest[kind]?.source}</span>
          </dt>
          <dd>
            <VitalValue kind={kind} latest={latest[kind]} now={now} serverLost={serverLost} timeZone={timeZone} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * Returns SpO2 and a rate always, so that a missing one is seen to be missing, and the other kinds that have a value.
 * The rate is the heart rate, or the pulse rate under its own name if only that has ever arrived.
 */
function shownKinds(latest: LatestValues): VitalKind[] {
  const known = (kind: VitalKind): boolean => latest[kind] !== undefined;
  return vitalKinds.filter((kind) => known(kind) || kind === 'spo2' || (kind === 'heartRate' && !known('pulseRate')));
}
