import type { ChartLimitStep, ChartMarks } from '../alerts/chartMarksSchema';
import { limitText } from '../alerts/sentenceParts';
import { parseInstant } from '../time/parseInstant';
import type { ChartQuantity } from './chartAxis';
import type { ChartWindow } from './chartGaps';

type StepLine = ChartLimitStep['lines'][number];

/** A limit over the time in which it held, in the unit of the chart. */
export interface ChartLimit extends ChartWindow, Pick<StepLine, 'priority' | 'is' | 'value' | 'onOxygen'> {
  /** Where the values beyond it end: at the next HIGH limit on its side, or with null at the end of the axis. */
  beyondTo: number | null;
}

/** The range that the patient should be in, in percent, over the time in which it held. */
export interface ChartTarget extends ChartWindow {
  low: number;
  high: number;
}

/** What is known up to a poll holds until the next one, and a little longer, in milliseconds. */
const holdsOnMs = 120_000;

/** Returns the limits of a chart in its window, in order of time, each as long as it held. */
export function chartLimits(marks: ChartMarks, quantity: ChartQuantity, window: ChartWindow): ChartLimit[] {
  const limits: ChartLimit[] = [];
  for (const { step, from, to } of stepsIn(marks, window)) {
    const lines = step.lines.filter(({ parameter }) => parameter === quantity);
    for (const line of lines) {
      const { priority, is, value, onOxygen } = line;
      const limit = { priority, is, value, onOxygen, beyondTo: beyondTo(line, lines) };
      const before = limits.find((one) => one.to === from && isSame(one, limit));
      if (before === undefined) {
        limits.push({ from, to, ...limit });
      } else {
        before.to = to;
      }
    }
  }
  return limits;
}

/** Returns the target range in a window, in order of time, each as long as it held. */
export function chartTargets(marks: ChartMarks, window: ChartWindow): ChartTarget[] {
  const targets: ChartTarget[] = [];
  for (const { step, from, to } of stepsIn(marks, window)) {
    const { low, high } = step.target;
    const before = targets.at(-1);
    if (before !== undefined && before.to === from && before.low === low && before.high === high) {
      before.to = to;
    } else {
      targets.push({ from, to, low, high });
    }
  }
  return targets;
}

/** "High < 88", as at the right edge of a chart. */
export function limitLabel({ priority, is, value, onOxygen }: Omit<ChartLimit, keyof ChartWindow>): string {
  return `${priority === 'high' ? 'High' : 'Med'} ${limitText({ is, value })}${onOxygen ? ' O₂' : ''}`;
}

function isSame(one: ChartLimit, other: Omit<ChartLimit, keyof ChartWindow>): boolean {
  return (
    one.priority === other.priority &&
    one.is === other.is &&
    one.value === other.value &&
    one.onOxygen === other.onOxygen &&
    one.beyondTo === other.beyondTo
  );
}

function beyondTo({ priority, is, value }: StepLine, lines: readonly StepLine[]): number | null {
  const isUpper = is === 'atLeast';
  const ofSide = lines.filter((line) => line.priority === 'high' && (line.is === 'atLeast') === isUpper);
  const values = ofSide.map((line) => line.value);
  const high = isUpper ? Math.min(...values) : Math.max(...values);
  if (values.length === 0 || (priority === 'high' && value === high)) {
    return null;
  }
  // The HIGH limit that is reached first leaves nothing to the others.
  return isUpper ? Math.max(value, high) : Math.min(value, high);
}

/** Returns the steps that lie in the window, cut to it. Beyond the time of the marks nothing is known. */
function stepsIn(marks: ChartMarks, window: ChartWindow): (ChartWindow & { step: ChartLimitStep })[] {
  const knownTo = parseInstant(marks.to) ?? window.from;
  const end = window.to - knownTo <= holdsOnMs ? window.to : knownTo;
  return marks.limits.flatMap((step, index) => {
    const next = marks.limits[index + 1];
    const from = Math.max(parseInstant(step.from) ?? end, window.from);
    const to = Math.min(next === undefined ? end : (parseInstant(next.from) ?? end), end);
    return from < to ? [{ step, from, to }] : [];
  });
}
