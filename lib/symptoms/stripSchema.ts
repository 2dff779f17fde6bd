import { z } from 'zod';
import { instant } from '../time/schema';
import { redFlag, symptom } from './schema';

export const symptomStripQuery = z.strictObject({ from: instant, to: instant });

/** What a patient reported in a window. */
export const symptomStripResponse = z.object({
  patientId: z.int(),
  from: instant,
  to: instant,
  /** One column a day of the site instead of one a report: from a window of a day on. */
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
  /**
   * The symptoms that were asked: red flags first, then new or worse ones, then by severity. `cells` has one `CellCode`
   * for each column (lib/symptoms/severity). `isRedFlag`: an answer of the window is a red flag by itself.
   */
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
