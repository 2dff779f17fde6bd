import { chartAxis, type ChartQuantity } from './chartAxis';
import { sparkMinutes, type SparkKind, type SparkMinute } from './spark';

/**
 * The drawing's size in CSS pixels: one column a minute and, for SpO2, one row a percent, so that every step falls on
 * whole pixels and nothing of a minute is lost.
 */
export const sparkSize = { width: sparkMinutes, height: 23 } as const;
/**
 * The position of the upper end of the axis, and the distance of the lower one: half a pixel off, so that a line of one
 * pixel is sharp.
 */
const top = 1.5;
const span = 20;

/** SVG path data; empty if there is nothing to draw. */
export interface SparkShape {
  /** What was measured, minute by minute from the lowest to the highest. */
  line: string;
  /** The same of minutes that are mostly questionable. */
  doubt: string;
  /** Along an edge, under or above what lies beyond the axis. */
  beyond: string;
}

/**
 * How the readings came. `expectedEveryMs` is the expected interval; spot checks are single observations and no line.
 */
export interface SparkContext {
  expectedEveryMs: number;
  isSpot: boolean;
}

/** What a spark line shows: heart and pulse rate share an axis. */
export function sparkQuantity(kind: SparkKind): ChartQuantity {
  return kind === 'spo2' ? 'spo2' : 'rate';
}

/**
 * The ends of the axis: the usual one of the charts, and never another, so that the same height means the same value in
 * every row of a list.
 */
export function sparkAxis(kind: SparkKind): { min: number; max: number } {
  const { min, max } = chartAxis(sparkQuantity(kind), null);
  return { min, max };
}

interface Column {
  /** The index of the minute in the line. */
  at: number;
  low: number;
  high: number;
  isDoubtful: boolean;
}

/**
 * Returns what is drawn of the minutes of a spark line. Each minute is a column from its lowest to its highest value,
 * so that a short fall survives; nothing is smoothed or carried forward. A minute without a value is a gap, unless
 * readings come so seldom that two of them, an expected interval apart, may leave a minute out. Uses loops that make
 * few objects, because a ward's page draws a thousand lines at once.
 */
export function sparkShape(
  minutes: readonly SparkMinute[],
  kind: SparkKind,
  { expectedEveryMs, isSpot }: SparkContext,
): SparkShape {
  const axis = sparkAxis(kind);
  const yOf = (value: number): number => {
    const inside = Math.min(axis.max, Math.max(axis.min, value));
    return top + Math.round(((axis.max - inside) * span) / (axis.max - axis.min));
  };
  const shape = { line: '', doubt: '', beyond: '' };
  const end = (run: readonly Column[]): void => {
    shape[run[0]?.isDoubtful === true ? 'doubt' : 'line'] += isSpot ? spots(run, yOf) : outline(run, yOf);
  };
  let run: Column[] = [];
  for (const [at, minute] of minutes.entries()) {
    if (minute === null || minute === 'no signal' || at >= sparkMinutes) {
      continue;
    }
    const { low, high, isDoubtful } = minute;
    const before = run.at(-1);
    if (before !== undefined && (before.isDoubtful !== isDoubtful || isGap(before.at, at, minutes, expectedEveryMs))) {
      end(run);
      run = [];
    }
    run.push({ at, low, high, isDoubtful });
    shape.beyond += high > axis.max ? `M${at} 1h1` : '';
    shape.beyond += low < axis.min ? `M${at} ${sparkSize.height - 1}h1` : '';
  }
  end(run);
  return shape;
}

/**
 * More than two expected intervals without a value break a line (clinical.md section 8), and so does a minute that says
 * "no signal".
 */
function isGap(before: number, at: number, minutes: readonly SparkMinute[], expectedEveryMs: number): boolean {
  return (
    at - before > 1 && ((at - before) * 60_000 > 2 * expectedEveryMs || minutes.slice(before, at).includes('no signal'))
  );
}

/** Goes along the highest values and returns along the lowest ones. */
function outline(run: readonly Column[], yOf: (value: number) => number): string {
  const [first] = run;
  if (first === undefined) {
    return '';
  }
  let x = first.at;
  let y = yOf(first.high);
  let path = `M${x} ${y}`;
  /** How far the path is written: level stretches become one step. */
  let written = x;
  const level = (): void => {
    if (written !== x) {
      path += `H${x}`;
      written = x;
    }
  };
  const step = (from: number, to: number, nextY: number): void => {
    if (from !== x || nextY !== y) {
      level();
      path += from === x ? `V${nextY}` : `L${from} ${nextY}`;
      written = from;
    }
    x = to;
    y = nextY;
  };
  for (const { at, high } of run) {
    step(at, at + 1, yOf(high));
  }
  level();
  for (let index = run.length - 1; index >= 0; index -= 1) {
    const { at, low } = run[index] ?? first;
    step(at + 1, at, yOf(low));
  }
  level();
  return `${path}z`;
}

/** A dot for each point: lines without length, which round ends make visible. */
function spots(run: readonly Column[], yOf: (value: number) => number): string {
  return run
    .flatMap(({ at, low, high }) => [...new Set([yOf(high), yOf(low)])].map((y) => `M${at + 0.5} ${y}h0`))
    .join('');
}
