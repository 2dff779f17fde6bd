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

/** The value of the header `X-Not-Stored-Since`. */
export const notStoredHeaderValue = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

/**
 * The data of the event `alertPath`: the same, with the server's time at which it was sent, and since when nothing can
 * be stored. Epoch milliseconds.
 */
const alertPathEvent = z.object({
  topic: z.literal('alertPath'),
  serverTime: instant,
  lastTickAt: instant,
  lastHeartbeatAt: instant,
  notStoredSince: instant.nullable().default(null),
});
export type AlertPathEvent = z.infer<typeof alertPathEvent>;

/** What the server said of the alarm path and of its store, and its time when it did. */
export interface AlertPathNews {
  path: AlertPath;
  /** Since when nothing can be stored; null: all is stored. */
  notStoredSince: EpochMs | null;
  serverTime: EpochMs;
}

/** Returns the news of an event; null if something else wrote it. */
export function parseAlertPathEvent(text: string): AlertPathNews | null {
  try {
    const { serverTime, lastTickAt, lastHeartbeatAt, notStoredSince } = alertPathEvent.parse(JSON.parse(text));
    return { serverTime, path: { lastTickAt, lastHeartbeatAt }, notStoredSince };
  } catch {
    return null;
  }
}
