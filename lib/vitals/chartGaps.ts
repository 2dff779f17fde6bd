import { pointsOf, type ChartLine } from './chartLine';

export interface ChartWindow {
  /** Epoch milliseconds. */
  from: number;
  to: number;
}

/** A time without data. `no signal`: the device was there and said that it measured nothing. */
export interface ChartGap extends ChartWindow {
  cause: 'no data' | 'no signal';
}

/**
 * Takes the lines of one chart and its window and returns the times in which none of them has data, in order. They are
 * hatched, so that an empty stretch never looks like a quiet one.
 */
export function chartGaps(lines: readonly ChartLine[], { from, to }: ChartWindow): ChartGap[] {
  const drawn = lines.filter(({ runs }) => runs.length > 0);
  const gapMs = Math.max(0, ...drawn.map((line) => line.gapMs));
  const bucketMs = Math.max(0, ...drawn.map((line) => line.bucketMs));
  const silent = lines.flatMap((line) => line.invalidAt.map((at) => ({ from: at, to: at + line.bucketMs })));
  const gaps: ChartGap[] = [];
  let coveredTo = from;
  for (const at of [...pointsOf(drawn).map((point) => point.at), to]) {
    if (at - coveredTo > gapMs) {
      const start = coveredTo;
      // A bucket that contains both a value and "no signal" lies beside the gap, not in it.
      const isSilent = silent.some((bucket) => bucket.from < at && (bucket.from >= start || bucket.to > start));
      gaps.push({ from: start, to: at, cause: isSilent ? 'no signal' : 'no data' });
    }
    coveredTo = Math.max(coveredTo, Math.min(at + bucketMs, to));
  }
  return gaps;
}
