import { ageInYears } from '../time/formatTime';
import type { EpochMs } from '../time/epochMs';
import { news2 } from '../vitals/news2';
import type { News2 } from '../vitals/news2Schema';
import type { News2ExemptFor } from './news2ExemptFor';
import type { Patient } from './schema';

/** Neither the score nor the limits of adults apply under this age (clinical.md sections 0, N3, and 1). */
const adultFromYears = 16;

/** Returns whether a patient is under 16 by the calendar of the site: on the birthday they are not. */
export function isChild(dateOfBirth: string, now: EpochMs, timeZone: string): boolean {
  return ageInYears(dateOfBirth, now, timeZone) < adultFromYears;
}

/** Returns why NEWS2 does not apply to a patient at `now`; null if it does. */
export function noNews2Because(
  { dateOfBirth, news2ExemptFor }: Pick<Patient, 'dateOfBirth' | 'news2ExemptFor'>,
  now: EpochMs,
  timeZone: string,
): 'under_16' | News2ExemptFor | null {
  return isChild(dateOfBirth, now, timeZone) ? 'under_16' : news2ExemptFor;
}

/**
 * Returns NEWS2 as a screen may show it: while the server does not respond, as it was when that began (`serverLost`,
 * epoch milliseconds). Its parts grow too old meanwhile, and a score without them would look like a better one.
 */
export function shownNews2(
  patient: Parameters<typeof patientNews2>[0],
  { now, serverLost, timeZone }: { now: EpochMs; serverLost: EpochMs | null; timeZone: string },
): News2 | null {
  return patientNews2(patient, serverLost ?? now, timeZone);
}

/** Returns NEWS2 of a patient at the server's time, or null if it does not apply. */
export function patientNews2(
  patient: Pick<Patient, 'latest' | 'spo2Scale' | 'dateOfBirth' | 'news2ExemptFor'>,
  now: EpochMs,
  timeZone: string,
): News2 | null {
  return noNews2Because(patient, now, timeZone) === null ? news2(patient.latest, patient.spo2Scale, now) : null;
}
