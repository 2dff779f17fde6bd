import type { EpochMs } from '../time/epochMs';

/** The header of every response that says when the alarm path last worked: `<lastTickAt>,<lastHeartbeatAt>`. */
export const alertPathHeader = 'X-Alert-Path';

/** The header that says since when nothing can be stored, epoch milliseconds; a response without it: all is stored. */
export const notStoredHeader = 'X-Not-Stored-Since';

/**
 * When the alarm path last worked (clinical.md section 0, P3). Before the first tick or beat of a server, its start
 * counts as one.
 */
export interface AlertPath {
  /** The end of the last clock evaluation that succeeded. */
  lastTickAt: EpochMs;
  /** The last heartbeat that went all the way. */
  lastHeartbeatAt: EpochMs;
}

/** A tick comes every second, a beat every 30 s. In milliseconds. */
const tickMissedAfterMs = 10_000;
const beatMissedAfterMs = 90_000;

/** Returns since when no alerts can be raised, judged at `now` of the server's clock; null while they can. */
export function alertsStoppedSince({ lastTickAt, lastHeartbeatAt }: AlertPath, now: EpochMs): EpochMs | null {
  const missed = [
    ...(now - lastTickAt > tickMissedAfterMs ? [lastTickAt] : []),
    ...(now - lastHeartbeatAt > beatMissedAfterMs ? [lastHeartbeatAt] : []),
  ];
  return missed.length === 0 ? null : Math.min(...missed);
}

/** Returns the value of the header. */
export function alertPathText({ lastTickAt, lastHeartbeatAt }: AlertPath): string {
  return `${lastTickAt},${lastHeartbeatAt}`;
}
