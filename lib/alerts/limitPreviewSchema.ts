import { z } from 'zod';
import { instant } from '../time/schema';
import { newLimits } from './limitsSchema';

/** Limits that were not set yet. */
export const proposedLimits = newLimits.pick({ rule: true, values: true });

const counts = z.object({ high: z.int(), medium: z.int(), low: z.int() });

/** The alerts about one parameter in a stretch of time, with the limits as they are and as they are proposed. */
export const limitPreview = z.object({
  parameter: z.enum(['spo2', 'rate']),
  from: instant,
  to: instant,
  /** For how long of this time there are values, in milliseconds. */
  coveredMs: z.number(),
  /** The same evaluation, so that both numbers compare like with like. */
  now: counts,
  proposed: counts,
  /** Of those in `now`: nothing at all would have been raised. */
  missed: counts,
  /** Of those in `now`: only an alert of a lower priority would have been raised. */
  milder: counts,
});
export type LimitPreview = z.infer<typeof limitPreview>;
