import { parseInstant } from '../time/parseInstant';
import { freshnessOf } from '../vitals/freshness';
import type { Patient } from './schema';

/** Of the beds with a monitor, how many show no SpO2 that is true now. */
export interface StaleBeds {
  stale: number;
  of: number;
}

/** What `staleBeds` needs of a patient. */
export type MonitoredPatient = Pick<Patient, 'latest' | 'state' | 'profile' | 'standby'>;

/**
 * Counts the beds whose SpO2 is stale or withdrawn at `now` (epoch milliseconds). Only those count that are monitored
 * all the time: the value is one of the patient's assigned monitor, and they are neither in standby nor at home.
 */
export function staleBeds(patients: readonly MonitoredPatient[], now: number): StaleBeds {
  const monitored = patients.flatMap(({ latest: { spo2 }, state, profile, standby }) =>
    spo2?.isAssigned === true && state === 'active' && profile === 'continuous' && standby === null ? [spo2] : [],
  );
  const stale = monitored.filter(({ asOf, expectedEveryMs }) => {
    const at = parseInstant(asOf);
    return at === null || ['stale', 'off'].includes(freshnessOf(now - at, expectedEveryMs));
  });
  return { stale: stale.length, of: monitored.length };
}
