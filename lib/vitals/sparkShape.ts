import { chartAxis, type ChartQuantity } from './chartAxis';
import { readSpark, sparkMinutes, type SparkKind, type SparkMinute } from './spark';

/**
 * The drawing's size in CSS pixels: one column a minute and, for SpO2, one row a percent, so that every step falls on whole
 * pixels and nothing of a minute is lost.
 */
export const sparkSize = { width: sparkMinutes, height: 23 } as const;
/** Where the upper end of the axis stands, and how far below it the lower one: half a pixel off, so that a line of one pixel is sharp. */
const top = 1.5;
const span = 20;

/** SVG path data; empty where there is nothing of the sort. */
export interface SparkShape {
  /** What was measured, minute by minute from the lowest to the highest. */
  line: string;
  /** The same of minutes that are mostly questionable. */
  doubt: string;
  /** Along an edge, under or above what lies beyond the axis. */
  beyond: string;
}

/** How the readings came. `expectedEveryMs` is the expected interval; spot checks are single observations and no line. */
export interface SparkContext {
  expectedEveryMs: number;
  isSpot: boolean;
}

/** What a spark line shows: heart and pulse rate share an axis. */
export function sparkQuantity(kind: SparkKind): ChartQuantity {
  return kind === 'spo2' ? 'spo2' : 'rate';
}

/** The ends of the axis: the usual one of the charts, and never another, so that the same height means the same value in every row of a list. */
export function sparkAxis(kind: SparkKind): { min: number; max: number } {
  const { min, max } = chartAxis(sparkQuantity(kind), null);
  return { min, max };
}

interface Column {
  /** Which minute of the line. */
  at: number;
  low: number;
  high: number;
  isDoubtful: boolean;
}

/**
 * Takes the text of a spark line and returns what is drawn of it. Each minute is a column from its lowest to its highest
 * value, so that a short fall survives; nothing is smoothed or carried forward. A minute without a value is a gap, unless
 * readings come so seldom that two of them, an expected interval apart, may leave a minute out.
 */
export function sparkShape(text: string, kind: SparkKind, { expectedEveryMs, isSpot }: SparkContext): SparkShape {
  const minutes = readSpark(text).slice(0, sparkMinutes);
  const axis = sparkAxis(kind);
  const yOf = (value: number): number => {
    const inside = Math.min(axis.max, Math.max(axis.min, value));
    return top + Math.round(((axis.max - inside) * span) / (axis.max - axis.min));
  };
  const columns = minutes.flatMap((minute, at): Column[] => (isMeasured(minute) ? [{ at, ...minute }] : []));
  const runs = isSpot ? columns.map((column) => [column]) : runsOf(columns, minutes, expectedEveryMs);
  const draw = (isDoubtful: boolean): string =>
    runs
      .filter(([first]) => first?.isDoubtful === isDoubtful)
      .map((run) => (isSpot ? spots(run, yOf) : outline(run, yOf)))
      .join('');
  const edge = (isBeyond: (column: Column) => boolean, y: number): string =>
    columns.map((column) => (isBeyond(column) ? `M${column.at} ${y}h1` : '')).join('');
  return {
    line: draw(false),
    doubt: draw(true),
    beyond: edge(({ high }) => high > axis.max, 1) + edge(({ low }) => low < axis.min, sparkSize.height - 1),
  };
}

function isMeasured(minute: SparkMinute): minute is Exclude<SparkMinute, string | null> {
  return minute !== null && minute !== 'no signal';
}

/** Columns that are drawn as one, parted where the charts part them and where their quality changes. */
function runsOf(columns: readonly Column[], minutes: readonly SparkMinute[], expectedEveryMs: number): Column[][] {
  const runs: Column[][] = [];
  let run: Column[] = [];
  for (const column of columns) {
    const before = run.at(-1);
    if (before === undefined || before.isDoubtful !== column.isDoubtful || isGap(before.at, column.at, minutes, expectedEveryMs)) {
      run = [];
      runs.push(run);
    }
    run.push(column);
  }
  return runs;
}

/** More than two expected intervals without a value part a line (clinical.md section 8), and so does a minute that says "no signal". */
function isGap(before: number, at: number, minutes: readonly SparkMinute[], expectedEveryMs: number): boolean {
  const isSilent = at - before > 1 && (at - before) * 60_000 > 2 * expectedEveryMs;
  return isSilent || minutes.slice(before, at).includes('no signal');
}

/** Along the highest values there, along the lowest ones back. */
function outline(run: readonly Column[], yOf: (value: number) => number): string {
  const there = run.flatMap(({ at, high }): Point[] => [
    [at, yOf(high)],
    [at + 1, yOf(high)],
  ]);
  const back = run.flatMap(({ at, low }): Point[] => [
    [at, yOf(low)],
    [at + 1, yOf(low)],
  ]);
  const [first = [0, 0]] = there;
  return `M${first.join(' ')}${steps(first, there)}${steps(there.at(-1) ?? first, back.reverse())}z`;
}

type Point = readonly [x: number, y: number];

/** The way along some points in one direction; level stretches become one step. */
function steps(from: Point, points: readonly Point[]): string {
  let [x, y] = from;
  let path = '';
  for (const [toX, toY] of points) {
    if (toX !== x || toY !== y) {
      path += toX === x ? `V${toY}` : toY === y ? `H${toX}` : `L${toX} ${toY}`;
      [x, y] = [toX, toY];
    }
  }
  return path.replace(/H\d+(?=H)/g, '');
}

/** A dot each; lines without length, which round ends make visible. */
function spots(run: readonly Column[], yOf: (value: number) => number): string {
  return run.flatMap(({ at, low, high }) => [...new Set([yOf(high), yOf(low)])].map((y) => `M${at + 0.5} ${y}h0`)).join('');
}
