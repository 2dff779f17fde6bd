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

export const symptomsTodayPage = z.object({
  version: z.string(),
  /** The site's day. */
  day: calendarDate,
  /** How many patients there are, and how many of them reported today. */
  total: z.int(),
  reported: z.int(),
  /** How many have a report that cannot be read: what it says is unknown. */
  unreadable: z.int(),
  /** Those that were reported, with the number of patients. */
  redFlags: z.array(z.object({ flag: redFlag, patients: z.int() })),
  /** Those that were asked, the most severe first: how many gave each answer, by the worst of the day of each. */
  symptoms: z.array(
    z.object({
      symptom,
      severe: z.int(),
      moderate: z.int(),
      mild: z.int(),
      absent: z.int(),
      /** They were asked and did not answer. */
      unanswered: z.int(),
      /** A report of theirs cannot be read, and no other one says that it is present. */
      unreadable: z.int(),
    }),
  ),
});
export type SymptomsTodayPage = z.infer<typeof symptomsTodayPage>;

export const symptomsTodayResponse = z.union([symptomsTodayPage, unchanged]);
