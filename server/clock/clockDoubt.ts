import type { EpochMs } from '../../lib/time/epochMs';

/** No computer sleeps or drifts by more between two starts that follow each other, in milliseconds. */
const farMs = 24 * 3_600_000;

/** What the server's clock says, and what it should say by the newest sample and the time since. */
export interface ClockDoubt {
  statedAt: EpochMs;
  expectedAt: EpochMs;
}

/** Returns the doubt about a clock that is more than a day away from what is expected (0: nothing), or null. */
export function clockDoubtOf(statedAt: EpochMs, expectedAt: EpochMs): ClockDoubt | null {
  return expectedAt !== 0 && Math.abs(statedAt - expectedAt) > farMs ? { statedAt, expectedAt } : null;
}
