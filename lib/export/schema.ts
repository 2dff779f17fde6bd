import { z } from 'zod';
import { instant } from '../time/schema';

/** What is known about a patient, a file each: rows of two kinds in one file would have no common columns. */
export const exportKinds = ['vitals', 'notes', 'symptoms', 'alerts'] as const;
export type ExportKind = (typeof exportKinds)[number];

/** `from` is the first instant of the window and `to` the one after it. The default is the patient's last stay. */
export const exportQuery = z.strictObject({
  kind: z.enum(exportKinds),
  from: instant.optional(),
  to: instant.optional(),
});

/** The header of the response with about how many rows follow. It is left out if counting them would take too long. */
export const rowEstimateHeader = 'X-Row-Estimate';
