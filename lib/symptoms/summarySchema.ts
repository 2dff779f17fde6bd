import { z } from 'zod';
import { instant } from '../time/schema';
import { breathlessness, redFlag, symptom } from './schema';

/** `SymptomSummary` of lib/symptoms/summaryOf. */
export const symptomSummary = z.object({
  reportedAt: instant,
  worst: z.object({ symptom, grade: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]) }).nullable(),
  redFlags: z.array(redFlag),
  redFlagsAt: instant.nullable(),
  breathlessness: breathlessness.nullable(),
  change: z.enum(['new', 'worse']).nullable(),
  unreadable: z.boolean(),
});
export type ShownSummary = z.infer<typeof symptomSummary>;
