import type { EpochMs } from '../time/epochMs';
import { lostAfterMs, serverNow } from './serverClock';

/**
 * The reads of alerts that the page shows or sounds, with the server's time of the last answer of each. A list can be
 * old while everything else on the page is live, so header, list and lamp all ask here.
 */
const answered = new Map<object, EpochMs>();

/** Adds a read, as old as the page is; returns its removal. */
export function holdAlertRead(read: object): () => void {
  answered.set(read, answered.get(read) ?? serverNow() ?? 0);
  return () => {
    answered.delete(read);
  };
}

/** Notes the server's time of an answer (epoch milliseconds). */
export function noteAlertRead(read: object, asOf: EpochMs): void {
  answered.set(read, asOf);
}

/** Returns when alerts on the page were last answered (epoch milliseconds); null if that is less than 10 s ago. */
export function alertsOldSince(): EpochMs | null {
  const now = serverNow();
  const oldest = Math.min(...answered.values());
  return now !== null && now - oldest >= lostAfterMs ? oldest : null;
}
