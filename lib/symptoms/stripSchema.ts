import { z } from 'zod';
import { instant } from '../time/schema';
import { redFlag, symptom } from './schema';

export const symptomStripQuery = z.strictObject({ from: instant, to: instant });

/** What a patient reported in a window: `Strip` of lib/symptoms/symptomStrip. */
export const symptomStripResponse = z.object({
  patientId: z.int(),
  from: instant,
  to: instant,
  /** One column a day of the site, else one a report. */
  isDaily: z.boolean(),
  columns: z.array(
    z.object({
      /** When the report was made, or when the day begins, which may be before the window. */
      at: instant,
      /** Those that could be read. */
      reports: z.int(),
      /** What these say is unknown. */
      unreadable: z.int(),
      redFlags: z.array(redFlag),
    }),
  ),
  /** In the order of screens. `cells` has one character a column (lib/symptoms/severity). */
  rows: z.array(
    z.object({
      symptom,
      cells: z.string().regex(/^[.u0-3?]*$/),
      change: z.enum(['new', 'worse']).nullable(),
      isRedFlag: z.boolean(),
    }),
  ),
  /** When each report was made, the newest first, at most 200. */
  reported: z.array(z.object({ at: instant, hasRedFlag: z.boolean() })),
  /** The window holds more reports than are counted: the oldest are left out. */
  truncated: z.boolean(),
});
export type SymptomStripResponse = z.infer<typeof symptomStripResponse>;
