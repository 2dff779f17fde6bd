import type { ChartAlert } from '../alerts/chartMarksSchema';
import { limitText } from '../alerts/sentenceParts';
import { formatAge, formatDayAndTime, formatTimeWithSeconds, zoneLabel } from '../time/formatTime';
import type { ChartGap, ChartWindow } from './chartGaps';
import type { ChartLimit, ChartTarget } from './chartLimits';
import { extremesOf, type ChartLine } from './chartLine';
import { kinds } from './kinds';
import { formatVital } from './roundVital';

/**
 * Returns in words what a chart draws, for users who do not see the drawing: the window in site time, each line's
 * lowest, highest and last value, and how long nothing was measured.
 */
export function chartSummary(
  lines: readonly ChartLine[],
  gaps: readonly ChartGap[],
  window: ChartWindow,
  timeZone: string,
): string {
  const from = formatDayAndTime(window.from, timeZone);
  const to = `${formatDayAndTime(window.to, timeZone)} ${zoneLabel(window.to, timeZone)}`;
  const drawn = lines.map((line) => lineSummary(line, timeZone)).filter((text) => text !== '');
  const said = drawn.length === 0 ? ['No data.'] : [...drawn, gapSummary(gaps)];
  return [`${from} to ${to}.`, ...said].join(' ');
}

function lineSummary(line: ChartLine, timeZone: string): string {
  const extremes = extremesOf([line]);
  const last = line.runs.at(-1)?.at(-1);
  if (extremes === null || last === undefined) {
    return '';
  }
  const { label, unit } = kinds[line.kind];
  const show = (value: number): string => `${formatVital(line.kind, value)} ${unit}`;
  const lastAt = formatTimeWithSeconds(last.at, timeZone);
  const { low, high } = extremes;
  return `${label} lowest ${show(low)}, highest ${show(high)}, last ${show(last.value)} at ${lastAt}.`;
}

function gapSummary(gaps: readonly ChartGap[]): string {
  if (gaps.length === 0) {
    return 'No gaps.';
  }
  const longest = Math.max(...gaps.map(({ from, to }) => to - from));
  return `${gaps.length} ${gaps.length === 1 ? 'gap' : 'gaps'} without data, the longest ${formatAge(longest)}.`;
}

/**
 * Returns in words the target and the limits that hold at the end of a window, and how many alerts there are in it;
 * empty if none of it is known.
 */
export function marksSummary(
  limits: readonly ChartLimit[],
  targets: readonly ChartTarget[],
  alerts: readonly ChartAlert[],
  { to }: ChartWindow,
): string {
  const target = targets.filter((one) => one.to === to).map(({ low, high }) => `Target ${low} to ${high} %.`);
  const held = limits
    .filter((one) => one.to === to)
    .map((limit) => `${limit.priority} ${limitText(limit)}${limit.onOxygen ? ' on oxygen' : ''}`);
  const count = alerts.length === 1 ? '1 alert.' : `${alerts.length} alerts.`;
  return limits.length + targets.length + alerts.length === 0
    ? ''
    : [...target, ...(held.length === 0 ? [] : [`Limits: ${held.join(', ')}.`]), count].join(' ');
}
