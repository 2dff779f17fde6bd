import { formatTime } from '../time/formatTime';
import type { EpochMs } from '../time/epochMs';
import { serverNow } from './serverClock';

/** The cookies may be gone this much before the server's own end of the session, in milliseconds. */
const toleranceMs = 60_000;

let end: { at: EpochMs; timeZone: string } | null = null;

/** Notes when the session of this page ends by itself, and the time zone of its site. */
export function noteSessionEnd(at: EpochMs, timeZone: string): void {
  end = { at, timeZone };
}

/** Returns the site's time, "19:30", at which the session of this page ended by itself; null if it has not. */
export function sessionEndedAt(): string | null {
  const now = serverNow();
  return end === null || now === null || now < end.at - toleranceMs ? null : formatTime(end.at, end.timeZone);
}
