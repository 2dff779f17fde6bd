import type { EpochMs } from '../time/epochMs';

/**
 * A bucket of a chart: its start (epoch ms), what its samples were between, and how many they were. `invalid` ones have
 * no value; if there are no others, `min`, `max` and `last` are null.
 */
export interface Bucket {
  takenAt: EpochMs;
  min: number | null;
  max: number | null;
  last: number | null;
  count: number;
  questionable: number;
  invalid: number;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Widths that divide an hour or a day, so that buckets start on round times and do not shift from poll to poll. */
const widths = [
  second, 2 * second, 5 * second, 10 * second, 15 * second, 20 * second, 30 * second,
  minute, 2 * minute, 3 * minute, 5 * minute, 10 * minute, 15 * minute, 20 * minute, 30 * minute,
  hour, 2 * hour, 3 * hour, 4 * hour, 6 * hour, 8 * hour, 12 * hour, 24 * hour,
]; // prettier-ignore

/**
 * Takes a span and a number of points and returns the narrowest round width (ms) that needs no more points than that.
 */
export function bucketWidth(spanMs: number, points: number): number {
  // One more bucket than the division says, because a window seldom starts on a round time.
  const fits = widths.find((width) => Math.ceil(spanMs / width) + 1 <= points);
  return fits ?? Math.ceil(spanMs / Math.max(1, points - 1) / (24 * hour)) * 24 * hour;
}

/**
 * Takes parts (samples or narrower buckets) in the order of their times and returns the buckets of the given width that
 * contain any. Extremes survive; an empty stretch stays empty, so that a gap remains a gap.
 */
export function toBuckets(parts: Iterable<Bucket>, widthMs: number): Bucket[] {
  const buckets: Bucket[] = [];
  let open: Bucket | undefined;
  for (const part of parts) {
    const takenAt = Math.floor(part.takenAt / widthMs) * widthMs;
    if (open === undefined || open.takenAt !== takenAt) {
      open = { ...part, takenAt };
      buckets.push(open);
    } else {
      open.min = extreme(open.min, part.min, Math.min);
      open.max = extreme(open.max, part.max, Math.max);
      open.last = part.last ?? open.last;
      open.count += part.count;
      open.questionable += part.questionable;
      open.invalid += part.invalid;
    }
  }
  return buckets;
}

/** Returns what `choose` picks of two extremes, the known one of the two, or null. */
export function extreme(a: number | null, b: number | null, choose: (a: number, b: number) => number): number | null {
  return a === null || b === null ? (a ?? b) : choose(a, b);
}
