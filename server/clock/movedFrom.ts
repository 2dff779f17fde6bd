import type { EpochMs } from '../../lib/time/epochMs';

/** No rule asks how old an entry is that is older. */
const dayMs = 24 * 3_600_000;

/**
 * Takes a step of the clock in milliseconds and the time after it, and returns after which time, by the clock before
 * the step, entries move with it: those of the last day, and after a step back all that would lie in the future. So a
 * step there and one back leave a report of symptoms or an admission where it was. Epoch milliseconds.
 */
export function movedFrom(ms: number, until: EpochMs): EpochMs {
  return until - ms - Math.max(dayMs, Math.abs(ms));
}
