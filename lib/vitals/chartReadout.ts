import type { EpochMs } from '../time/epochMs';
import type { ChartLine, ChartPoint } from './chartLine';

/**
 * Takes a line and the instant pointed at and returns the point there: the nearest that is at most `withinMs` away
 * (a bucket counts with its whole length), or null, so that a time without data shows no value from elsewhere.
 */
export function pointAt(line: ChartLine, at: EpochMs, withinMs: number): ChartPoint | null {
  let nearest: ChartPoint | null = null;
  let nearestDistance = withinMs;
  for (const point of line.runs.flat()) {
    const distance = Math.max(point.at - at, at - (point.at + line.bucketMs), 0);
    if (distance < nearestDistance || (distance === nearestDistance && nearest === null)) {
      nearest = point;
      nearestDistance = distance;
    }
  }
  return nearest;
}

/** Returns whether a sample or bucket without a signal is as near to the instant pointed at. */
export function isSilentAt({ invalidAt, bucketMs }: ChartLine, at: EpochMs, withinMs: number): boolean {
  return invalidAt.some((silent) => silent - withinMs <= at && at <= silent + bucketMs + withinMs);
}
