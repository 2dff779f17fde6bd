import { ageInYears } from '../time/formatTime';
import { news2 } from '../vitals/news2';
import type { News2 } from '../vitals/news2Schema';
import type { Patient } from './schema';

/** Under this age the score says nothing (clinical.md section 1). */
export const news2FromYears = 16;

/**
 * Takes a patient and the server's time (epoch milliseconds); returns NEWS2, or null under 16 years, counted in UTC: on
 * the birthday itself a few hours decide nothing.
 */
export function patientNews2(
  { latest, spo2Scale, dateOfBirth }: Pick<Patient, 'latest' | 'spo2Scale' | 'dateOfBirth'>,
  now: number,
): News2 | null {
  return ageInYears(dateOfBirth, now, 'UTC') < news2FromYears ? null : news2(latest, spo2Scale, now);
}
