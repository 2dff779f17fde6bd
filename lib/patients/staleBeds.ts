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

/** A feed that is slower than this is no monitor's, in milliseconds (clinical.md section 0, S1). */
const spotFromMs = 60_000;
/** A monitor that is assigned to no one and has sent nothing for a shift is expected no more, in milliseconds. */
const expectedForMs = 12 * 3_600_000;

/**
 * Counts the beds whose SpO2 is stale or withdrawn at `now` (epoch milliseconds). Only those count that are monitored
 * all the time: the value is one of the patient's assigned monitor, or of a stream that has gone on until a shift ago
 * (gateways assign no monitors), and they are neither in standby nor at home.
 */
export function staleBeds(patients: readonly MonitoredPatient[], now: number): StaleBeds {
  const monitored = patients.flatMap(({ latest: { spo2 }, state, profile, standby }) =>
    spo2 !== undefined && state === 'active' && profile === 'continuous' && standby === null ? [spo2] : [],
  );
  const ages = monitored.flatMap(({ asOf, expectedEveryMs, isAssigned }) => {
    const age = now - (parseInstant(asOf) ?? -Infinity);
    const isExpected = isAssigned === true || (expectedEveryMs < spotFromMs && age < expectedForMs);
    return isExpected ? [freshnessOf(age, expectedEveryMs)] : [];
  });
  const stale = ages.filter((freshness) => freshness === 'stale' || freshness === 'off');
  return { stale: stale.length, of: ages.length };
}
