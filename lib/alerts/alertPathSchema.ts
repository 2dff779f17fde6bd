import { z } from 'zod';
import type { EpochMs } from '../time/epochMs';
import type { AlertPath } from './alertPath';

const instant = z.int().nonnegative();

/** The value of the header `X-Alert-Path`. */
export const alertPathHeaderValue = z
  .string()
  .regex(/^\d{1,15},\d{1,15}$/)
  .transform((text): AlertPath => {
    const [lastTickAt = 0, lastHeartbeatAt = 0] = text.split(',').map(Number);
    return { lastTickAt, lastHeartbeatAt };
  });

/** The data of the event `alertPath`: the same, with the server's time at which it was sent. Epoch milliseconds. */
const alertPathEvent = z.object({
  topic: z.literal('alertPath'),
  serverTime: instant,
  lastTickAt: instant,
  lastHeartbeatAt: instant,
});
export type AlertPathEvent = z.infer<typeof alertPathEvent>;

/** What the server said of the alarm path, and its time when it did. */
export interface AlertPathNews {
  path: AlertPath;
  serverTime: EpochMs;
}

/** Returns the news of an event; null if something else wrote it. */
export function parseAlertPathEvent(text: string): AlertPathNews | null {
  try {
    const { serverTime, lastTickAt, lastHeartbeatAt } = alertPathEvent.parse(JSON.parse(text));
    return { serverTime, path: { lastTickAt, lastHeartbeatAt } };
  } catch {
    return null;
  }
}
