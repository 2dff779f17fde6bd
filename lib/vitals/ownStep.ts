import type { EpochMs } from '../time/epochMs';

/** Values that come further apart are no course: a line would claim that the time between was measured. */
const longestStepMs = 300_000;

/**
 * Returns the interval that some instants of measuring keep, in milliseconds: the median of the intervals between them.
 * Null if there are fewer than two intervals, or if it is more than five minutes.
 */
export function ownStep(instants: readonly EpochMs[]): number | null {
  const intervals = instants.slice(1).map((at, index) => at - (instants[index] ?? at));
  const step = intervals.sort((a, b) => a - b)[Math.floor((intervals.length - 1) / 2)];
  return intervals.length < 2 || step === undefined || step > longestStepMs ? null : step;
}

/** So many instants on one side of a gap say what step the data kept there. */
export const stepFrom = 4;
