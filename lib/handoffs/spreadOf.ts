import type { HandoffFacts } from './schema';

/** One minute of a kind: its extremes and its last value. */
export interface Minute {
  min: number;
  max: number;
  last: number;
}

/** The spread of a kind over some hours. */
type Spread = Omit<HandoffFacts['spreads'][number], 'kind'>;

/**
 * Returns the extremes of all values and the median of the minutes' last values, null without a minute. Of an even
 * number the lower middle one: a value that was measured, not one between two.
 */
export function spreadOf(minutes: readonly Minute[]): Spread | null {
  const lasts = Float64Array.from(minutes, ({ last }) => last).sort();
  const median = lasts[Math.floor((lasts.length - 1) / 2)];
  if (median === undefined) {
    return null;
  }
  let [min, max] = [Infinity, -Infinity];
  for (const minute of minutes) {
    min = Math.min(min, minute.min);
    max = Math.max(max, minute.max);
  }
  return { min, median, max, minutes: minutes.length };
}
