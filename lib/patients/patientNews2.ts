import { ageInYears } from '../time/formatTime';
import { news2 } from '../vitals/news2';
import type { News2 } from '../vitals/news2Schema';
import type { Patient } from './schema';

/** The score does not apply under this age (clinical.md section 1). */
export const news2FromYears = 16;

/**
 * Returns NEWS2 of a patient at the server's time (epoch milliseconds), or null under 16 years. The age is counted in
 * UTC: on the birthday itself a few hours make no difference.
 */
export function patientNews2(
  { latest, spo2Scale, dateOfBirth }: Pick<Patient, 'latest' | 'spo2Scale' | 'dateOfBirth'>,
  now: number,
): News2 | null {
  return ageInYears(dateOfBirth, now, 'UTC') < news2FromYears ? null : news2(latest, spo2Scale, now);
}
