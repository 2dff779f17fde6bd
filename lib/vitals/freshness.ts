/**
 * How far a value on the screen can be trusted to be true now. `live` and `ageing` show the value, `stale` shows it
 * greyed and struck through, `off` withdraws it.
 */
export type Freshness = 'live' | 'ageing' | 'stale' | 'off';

const limits = [
  { freshness: 'live', atLeastMs: 10_000, intervals: 1.5 },
  { freshness: 'ageing', atLeastMs: 30_000, intervals: 2 },
  { freshness: 'stale', atLeastMs: 60_000, intervals: 4 },
] as const;

/**
 * Takes an age and the expected interval between two values, both in milliseconds, and returns the value's freshness.
 * A negative age (the clocks of two machines differ a little) counts as none.
 * Limits: max(10 s, 1.5 E), max(30 s, 2 E), max(60 s, 4 E), each inclusive. 30 s is the age at which ISO 80601-2-61
 * wants data flagged (clinical.md section 2.1).
 */
export function freshnessOf(ageMs: number, expectedEveryMs: number): Freshness {
  for (const limit of limits) {
    if (ageMs <= Math.max(limit.atLeastMs, limit.intervals * expectedEveryMs)) {
      return limit.freshness;
    }
  }
  return 'off';
}

/** Takes an expected interval and returns the greatest age, both in milliseconds, at which a value is not `off` yet. */
export function offAfterMs(expectedEveryMs: number): number {
  const [, , last] = limits;
  return Math.max(last.atLeastMs, last.intervals * expectedEveryMs);
}
