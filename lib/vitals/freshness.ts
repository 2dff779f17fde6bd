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

/** How far a value may lie in the future, in milliseconds: the clocks of two machines differ a little. */
const futureToleranceMs = 2_000;

/**
 * Returns whether an age in milliseconds says how old something is. A value further in the future than 2 s has a wrong
 * time: how old it is is not known (clinical.md section 0, C2).
 */
export function isAgeKnown(ageMs: number): boolean {
  return ageMs >= -futureToleranceMs;
}

/**
 * Takes an age and the expected interval between two values, both in milliseconds, and returns the value's freshness:
 * `off` if the age is not known (`isAgeKnown`).
 * Limits: max(10 s, 1.5 E), max(30 s, 2 E), max(60 s, 4 E), each inclusive. 30 s is the age at which ISO 80601-2-61
 * wants data flagged (clinical.md section 2.1).
 */
export function freshnessOf(ageMs: number, expectedEveryMs: number): Freshness {
  if (!isAgeKnown(ageMs)) {
    return 'off';
  }
  for (const limit of limits) {
    if (ageMs <= Math.max(limit.atLeastMs, limit.intervals * expectedEveryMs)) {
      return limit.freshness;
    }
  }
  return 'off';
}

/** Takes an expected interval and returns the greatest age, both in milliseconds, at which a value is not stale yet. */
export function staleAfterMs(expectedEveryMs: number): number {
  const [, ageing] = limits;
  return Math.max(ageing.atLeastMs, ageing.intervals * expectedEveryMs);
}

/** Takes an expected interval and returns the greatest age, both in milliseconds, at which a value is not `off` yet. */
export function offAfterMs(expectedEveryMs: number): number {
  const [, , last] = limits;
  return Math.max(last.atLeastMs, last.intervals * expectedEveryMs);
}
