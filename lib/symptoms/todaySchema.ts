import { z } from 'zod';
import { unitParam } from '../api/idParam';
import { bedParam, unchanged } from '../patients/schema';
import { calendarDate } from '../time/schema';
import { redFlag, symptom } from './schema';

/** The patients whom the dashboard shows, as in a query of the list of patients. */
export const symptomsTodayQuery = z.strictObject({
  unit: unitParam.optional(),
  bed: bedParam.optional(),
  mine: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
  /** The version of the response that the caller has: if nothing is newer, the response is `unchanged`. */
  after: z.string().max(60).optional(),
});

/** `SymptomsToday` of lib/symptoms/symptomsToday. */
export const symptomsTodayPage = z.object({
  version: z.string(),
  /** The site's day. */
  day: calendarDate,
  total: z.int(),
  reported: z.int(),
  unreadable: z.int(),
  redFlags: z.array(z.object({ flag: redFlag, patients: z.int() })),
  symptoms: z.array(
    z.object({
      symptom,
      severe: z.int(),
      moderate: z.int(),
      mild: z.int(),
      absent: z.int(),
      unanswered: z.int(),
      unreadable: z.int(),
    }),
  ),
});
export type SymptomsTodayPage = z.infer<typeof symptomsTodayPage>;

export const symptomsTodayResponse = z.union([symptomsTodayPage, unchanged]);
