import { z } from 'zod';
import { instant } from '../time/schema';
import { breathlessness, redFlag, symptom } from './schema';

/** What a list shows of a patient's newest report. */
export const symptomSummary = z.object({
  reportedAt: instant,
  /** The most severe answer, absent included; null: no symptom was answered. */
  worst: z.object({ symptom, grade: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]) }).nullable(),
  /** Those of the day before the newest report: a later report without them ends none. */
  redFlags: z.array(redFlag),
  /** When the newest of them was reported; null: there is none. */
  redFlagsAt: instant.nullable(),
  /** The newest score of breathlessness of that day, 0 to 10; null: there is none. */
  breathlessness: breathlessness.nullable(),
  /** Something is worse, or new, than in the reports before. */
  change: z.enum(['new', 'worse']).nullable(),
  /** A report of that day cannot be read: what it says is unknown. */
  unreadable: z.boolean(),
});
export type ShownSummary = z.infer<typeof symptomSummary>;
