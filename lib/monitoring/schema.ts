import { z } from 'zod';
import { instant } from '../time/schema';

/** Errors that are alike: same place, same words, same release. It contains no row, no person and no value. */
const errorReport = z.object({
  source: z.enum(['page', 'server']),
  release: z.string(),
  /** The pattern of the address of the page or the call. */
  page: z.string(),
  name: z.string(),
  message: z.string(),
  place: z.string(),
  /** The ids that people were shown, the newest first, at most 20. */
  reports: z.array(z.string()),
  count: z.int(),
  first: instant,
  last: instant,
});
export type ErrorReport = z.infer<typeof errorReport>;

/** `isPassedOn`: reports go to the receiver that the operator named, and the server keeps none. */
export const errorReports = z.object({ items: z.array(errorReport), total: z.int(), isPassedOn: z.boolean() });
export type ErrorReports = z.infer<typeof errorReports>;
