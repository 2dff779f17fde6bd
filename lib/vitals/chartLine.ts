import type { EpochMs } from '../time/epochMs';
import { parseInstant } from '../time/parseInstant';
import { kinds, type VitalKind } from './kinds';
import { ownStep, stepFrom } from './ownStep';
import type { VitalSeries } from './schema';

/** One thing drawn: a sample (low, value and high are the same) or a bucket (its extremes and its last value). */
export interface ChartPoint {
  /** Epoch milliseconds. */
  at: EpochMs;
  value: number;
  low: number;
  high: number;
  /** The number of samples that it represents. */
  count: number;
  /** A bucket is questionable when at least half of its samples were. */
  quality: 'good' | 'questionable';
  /** It was typed in: a mark of its own, never part of a device's line. */
  isManual?: true;
  /** The patient did so, at a check-in. */
  isByPatient?: true;
  /** When it arrived, if that was late; epoch milliseconds. */
  receivedAt?: EpochMs;
  /** When it was taken by the clock of its device, if that is wrong; epoch milliseconds. */
  sentAs?: EpochMs;
}

export interface ChartLine {
  kind: VitalKind;
  /** 0 where each point is a sample. */
  bucketMs: number;
  /** More time than this between two points is a time without data, unless they keep a slower step; milliseconds. */
  gapMs: number;
  /** Runs of points that a line may join. Between two runs there is nothing to draw. */
  runs: ChartPoint[][];
  /** When samples came that say "no signal" (for buckets their starts): never drawn as values. Epoch milliseconds. */
  invalidAt: number[];
}

export interface LineContext {
  /** The expected interval between two samples, in milliseconds; the default is that of the table of kinds. */
  expectedEveryMs?: number | undefined;
  /** Spot checks are single observations: markers, never a line. */
  spot: boolean;
}

/** The shortest silence that breaks a line (clinical.md section 8). */
const shortestGapMs = 30_000;

/**
 * Takes one series of a response (points in order of time) and returns what a chart draws of it. A line breaks where
 * more time passed than max(2 x expected interval, 30 s), for buckets also more than two of them, and at each sample or
 * bucket that holds nothing but "no signal". Data that keep a step of their own, such as a recording of one value a
 * minute, break after two of their steps. What was typed in is joined to nothing. Nothing is interpolated, carried
 * forward or smoothed.
 */
export function chartLine(series: VitalSeries, { expectedEveryMs, spot }: LineContext): ChartLine {
  const { kind, bucketMs } = series;
  const gapMs = Math.max(2 * (expectedEveryMs ?? kinds[kind].expectedEveryMs), 2 * bucketMs, shortestGapMs);
  const { moments, invalidAt } = 'noSignal' in series ? bucketMoments(series) : sampleMoments(series);
  const runs: ChartPoint[][] = [];
  let run: ChartPoint[] = [];
  const measured = moments.filter(({ point }) => point?.isManual !== true);
  for (const [index, { at, point }] of measured.entries()) {
    if (point === null) {
      run = [];
      continue;
    }
    const before = run.at(-1);
    if (before === undefined || spot || (at - before.at > gapMs && !isOwnStep(measured, index))) {
      run = [];
      runs.push(run);
    }
    run.push(point);
  }
  const typed = moments.flatMap(({ point }) => (point?.isManual === true ? [[point]] : []));
  const ended = (each: readonly ChartPoint[]): number => each.at(-1)?.at ?? 0;
  return {
    kind,
    bucketMs,
    gapMs,
    runs: typed.length === 0 ? runs : [...runs, ...typed].sort((a, b) => ended(a) - ended(b)),
    invalidAt,
  };
}

/**
 * Returns whether a moment comes within two steps of the one before, by the steps that the data keep before or after
 * the two.
 */
function isOwnStep(moments: readonly Moment[], index: number): boolean {
  const instants = (from: number, to: number): number[] => moments.slice(Math.max(0, from), to).map(({ at }) => at);
  const steps = [instants(index - stepFrom, index), instants(index, index + stepFrom)].map(ownStep);
  const gap = (moments[index]?.at ?? 0) - (moments[index - 1]?.at ?? 0);
  return steps.some((step) => step !== null && gap <= 2 * step);
}

/** The result of a sample or a bucket; null if it has no value. */
interface Moment {
  at: EpochMs;
  point: ChartPoint | null;
}
interface Course {
  /** In order of time. */
  moments: Moment[];
  invalidAt: number[];
}
type BucketSeries = Extract<VitalSeries, { noSignal: unknown }>;
type SampleSeries = Exclude<VitalSeries, BucketSeries>;

function sampleMoments({ points }: SampleSeries): Course {
  const moments = points.map(({ takenAt, value, quality, isManual, isByPatient, receivedAt, sentAs }): Moment => {
    const at = epoch(takenAt);
    const origin = {
      ...(isManual === undefined ? {} : { isManual }),
      ...(isByPatient === undefined ? {} : { isByPatient }),
      ...(receivedAt === undefined ? {} : { receivedAt: epoch(receivedAt) }),
      ...(sentAs === undefined ? {} : { sentAs: epoch(sentAs) }),
    };
    return {
      at,
      point: quality === 'invalid' ? null : { at, value, low: value, high: value, count: 1, quality, ...origin },
    };
  });
  return { moments, invalidAt: moments.flatMap(({ at, point }) => (point === null ? [at] : [])) };
}

/** A bucket with a value is a point, also where some of its samples had no signal. */
function bucketMoments({ points, noSignal }: BucketSeries): Course {
  const measured = points.map(({ takenAt, min, max, last, count, questionable }): Moment => {
    const at = epoch(takenAt);
    const quality = 2 * questionable >= count ? 'questionable' : 'good';
    return { at, point: { at, value: last, low: min, high: max, count, quality } };
  });
  const measuredAt = new Set(measured.map(({ at }) => at));
  const invalidAt = noSignal.map(({ takenAt }) => epoch(takenAt));
  const silent = invalidAt.filter((at) => !measuredAt.has(at)).map((at): Moment => ({ at, point: null }));
  return { moments: [...measured, ...silent].sort((a, b) => a.at - b.at), invalidAt };
}

/** The response was parsed on arrival, so its instants are valid. */
function epoch(instant: string): number {
  return parseInstant(instant) ?? Number.NaN;
}

/** All points of some lines, in order of time. */
export function pointsOf(lines: readonly ChartLine[]): ChartPoint[] {
  return lines.flatMap(({ runs }) => runs.flat()).sort((a, b) => a.at - b.at);
}

/** The lowest and the highest value drawn, or null when nothing is. */
export function extremesOf(lines: readonly ChartLine[]): { low: number; high: number } | null {
  let low = Infinity;
  let high = -Infinity;
  for (const point of lines.flatMap(({ runs }) => runs.flat())) {
    low = Math.min(low, point.low);
    high = Math.max(high, point.high);
  }
  return low > high ? null : { low, high };
}
