import { compareText, firstDifference } from '../sortOrder';
import { parseInstant } from '../time/parseInstant';
import { freshnessOf } from '../vitals/freshness';
import { roundVital } from '../vitals/roundVital';
import type { LatestValue } from '../vitals/schema';
import type { Patient } from './schema';

/**
 * The state of a patient's SpO2: `noSignal` if the newest sample says so, `silent` if nothing arrived for so long that
 * the value is withdrawn, `never` if there was no sample yet. Everything that still shows a number is `reporting`.
 */
export const reportingStates = ['noSignal', 'silent', 'never', 'reporting'] as const;
export type ReportingState = (typeof reportingStates)[number];

export type ReportingGroups = Readonly<Record<ReportingState, readonly Patient[]>>;

/**
 * Returns the state from the newest SpO2 sample, if any, and the server's time in epoch milliseconds. Agrees with what
 * `VitalValue` shows.
 */
export function reportingStateOf(spo2: LatestValue | undefined, now: number): ReportingState {
  const asOf = spo2 === undefined ? null : parseInstant(spo2.asOf);
  if (spo2 === undefined || asOf === null) {
    return 'never';
  }
  if (freshnessOf(now - asOf, spo2.expectedEveryMs) === 'off') {
    return 'silent';
  }
  return spo2.quality === 'invalid' ? 'noSignal' : 'reporting';
}

/**
 * Groups patients by the state of their SpO2. Those reporting are in the order of the shown value, lowest first; the
 * others by how long they have had none, longest first; equals by name. It only sorts: no limit is involved. SpO2
 * decides, because a low one must not vanish from the list when the heart rate is lost. `now` is epoch milliseconds.
 */
export function groupByReporting(patients: readonly Patient[], now: number): ReportingGroups {
  const groups: Record<ReportingState, Patient[]> = { noSignal: [], silent: [], never: [], reporting: [] };
  for (const patient of patients) {
    groups[reportingStateOf(patient.latest.spo2, now)].push(patient);
  }
  return {
    noSignal: sorted(groups.noSignal, lastSeen),
    silent: sorted(groups.silent, lastSeen),
    never: sorted(groups.never, () => 0),
    reporting: sorted(groups.reporting, shownSpo2),
  };
}

function shownSpo2({ latest: { spo2 } }: Patient): number {
  return spo2 === undefined ? Infinity : roundVital('spo2', spo2.value);
}

/** The time of the last value, epoch milliseconds; 0 if there never was one, which sorts as the longest time. */
function lastSeen({ latest: { spo2 } }: Patient): number {
  const last = spo2?.quality === 'invalid' ? spo2.lastValid : spo2;
  return last === null || last === undefined ? 0 : (parseInstant(last.asOf) ?? 0);
}

function sorted(patients: readonly Patient[], key: (patient: Patient) => number): Patient[] {
  const keys = new Map(patients.map((patient) => [patient, key(patient)]));
  return [...patients].sort((a, b) =>
    firstDifference(
      (keys.get(a) ?? 0) - (keys.get(b) ?? 0),
      compareText(a.familyName, b.familyName),
      compareText(a.givenName, b.givenName),
      a.id - b.id,
    ),
  );
}
