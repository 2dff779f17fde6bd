import { z } from 'zod';
import { instant } from '../time/schema';
import { priorities } from './priority';

/** An open alert without anything of its patient but the place. Unit and bed are null if the alert has none. */
const stripItem = z.object({
  unit: z.string().nullable(),
  bed: z.string().nullable(),
  /** The place is that of a trial patient. */
  isTrial: z.boolean(),
  priority: z.enum(priorities),
  raisedAt: instant,
  /** A user has accepted it. */
  owned: z.boolean(),
});
export type StripItem = z.infer<typeof stripItem>;

/**
 * What every signed-in page and the lock screen show of the open alerts (screens.md section 5). The server's response
 * has these keys alone: the schema drops any other one.
 */
export const alertStrip = z.object({
  /** The most urgent first. */
  items: z.array(stripItem),
  /** When the alarm path last worked, in epoch milliseconds: the same as the header `X-Alert-Path`. */
  alertPath: z.object({ lastTickAt: z.int().nonnegative(), lastHeartbeatAt: z.int().nonnegative() }),
});
export type AlertStrip = z.infer<typeof alertStrip>;
