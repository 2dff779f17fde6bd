import type { ChartLine } from './chartLine';
import { ownStep, stepFrom } from './ownStep';

export interface ChartWindow {
  /** Epoch milliseconds. */
  from: number;
  to: number;
}

/** A time without data. `no signal`: the device was there and said that it measured nothing. */
export interface ChartGap extends ChartWindow {
  cause: 'no data' | 'no signal';
}

/** A time over which a line joins its points. */
interface Stretch extends ChartWindow {
  /** The longest time without a point that is none without data, before the stretch and after it, in milliseconds. */
  quietBefore: number;
  quietAfter: number;
}

/**
 * Takes the lines of one chart and its window and returns the times in which none of them has data, in order. They are
 * hatched, so that an empty stretch never looks like a quiet one. Where a line joins its points there is no gap.
 */
export function chartGaps(lines: readonly ChartLine[], { from, to }: ChartWindow): ChartGap[] {
  const drawn = lines.filter(({ runs }) => runs.length > 0);
  const gapMs = Math.max(0, ...drawn.map((line) => line.gapMs));
  const silent = lines.flatMap((line) => line.invalidAt.map((at) => ({ from: at, to: at + line.bucketMs })));
  const stretches = drawn.flatMap(stretchesOf).sort((a, b) => a.from - b.from);
  const gaps: ChartGap[] = [];
  const note = (start: number, end: number, allowedMs: number): void => {
    if (end - start > allowedMs) {
      // A bucket that contains both a value and "no signal" lies beside the gap, not in it.
      const isSilent = silent.some((bucket) => bucket.from < end && (bucket.from >= start || bucket.to > start));
      gaps.push({ from: start, to: end, cause: isSilent ? 'no signal' : 'no data' });
    }
  };
  let coveredTo = from;
  let quietMs = gapMs;
  for (const [index, stretch] of stretches.entries()) {
    // The window may begin, and end, between two values of data that keep a slower step.
    note(coveredTo, stretch.from, index === 0 ? Math.max(gapMs, stretch.quietBefore) : gapMs);
    const end = Math.min(stretch.to, to);
    if (end >= coveredTo) {
      coveredTo = end;
      quietMs = Math.max(gapMs, stretch.quietAfter);
    }
  }
  note(coveredTo, to, quietMs);
  return gaps;
}

function stretchesOf({ runs, bucketMs }: ChartLine): Stretch[] {
  return runs.flatMap((run) => {
    const [first] = run;
    const last = run.at(-1);
    if (first === undefined || last === undefined) {
      return [];
    }
    const quiet = (points: typeof run): number => 2 * (ownStep(points.map(({ at }) => at)) ?? 0);
    return [
      {
        from: first.at,
        to: last.at + bucketMs,
        quietBefore: quiet(run.slice(0, stepFrom)),
        quietAfter: quiet(run.slice(-stepFrom)),
      },
    ];
  });
}
