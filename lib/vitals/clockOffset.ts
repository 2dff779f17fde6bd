import type { EpochMs } from '../time/epochMs';

/** The number of a device's calls that are used if it does not send its own time. */
export const offsetHistoryLength = 20;
/** By how much those calls may differ, in milliseconds; if they differ more, nothing is concluded from them. */
const agreementMs = 10_000;

/**
 * How far a device's clock is behind ours, in milliseconds: added to its `takenAt` it gives true time.
 * With `sentAt` it is what the call itself says. Without, it is the median of `receivedAt - newest takenAt` over the
 * device's last 20 calls, if those agree within 10 s: a live feed with a wrong clock is wrong by the same amount every
 * time, a back-fill is not. Otherwise the device's clock is taken as right.
 * All arguments are epoch milliseconds, `recentLags` is milliseconds, oldest first.
 */
export function clockOffset(receivedAt: EpochMs, sentAt: number | null, recentLags: readonly number[]): number {
  if (sentAt !== null) {
    return receivedAt - sentAt;
  }
  if (recentLags.length < offsetHistoryLength) {
    return 0;
  }
  const sorted = recentLags.slice(-offsetHistoryLength).sort((a, b) => a - b);
  const first = sorted[0] ?? 0;
  const last = sorted.at(-1) ?? 0;
  if (last - first > agreementMs) {
    return 0;
  }
  const upper = sorted[offsetHistoryLength / 2] ?? 0;
  const lower = sorted[offsetHistoryLength / 2 - 1] ?? 0;
  return Math.round((upper + lower) / 2);
}

/** The instant an age counts from: a back-filled value never looks live, and neither does one from a fast clock. */
export function ageFrom(takenAt: EpochMs, offsetMs: number, receivedAt: EpochMs): number {
  return Math.min(takenAt + offsetMs, receivedAt);
}
