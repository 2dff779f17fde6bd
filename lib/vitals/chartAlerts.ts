import type { ChartAlert } from '../alerts/chartMarksSchema';
import { priorities } from '../alerts/priority';
import { parseInstant } from '../time/parseInstant';
import type { ChartQuantity } from './chartAxis';
import type { ChartWindow } from './chartGaps';

/** One alert on a time axis, as parts of the axis from 0 to 1. */
export interface AlertBar {
  alert: ChartAlert;
  left: number;
  width: number;
}

/** Bars that are so near to each other that one press means them all. */
export interface AlertGroup {
  left: number;
  width: number;
  /** In the order of drawing: the most urgent is on top, so it is the last. */
  bars: AlertBar[];
}

const ofSpo2: ReadonlySet<ChartAlert['parameter']> = new Set<ChartAlert['parameter']>([
  'spo2',
  'spo2Quality',
  'perfusion',
]);
const ofRate: ReadonlySet<ChartAlert['parameter']> = new Set<ChartAlert['parameter']>(['rate', 'rateQuality']);

/** Returns the alerts that a chart shows: those about its value, and those that are about no chart's value alone. */
export function alertsOfChart(alerts: readonly ChartAlert[], quantity: ChartQuantity): ChartAlert[] {
  const others = quantity === 'spo2' ? ofRate : ofSpo2;
  return alerts.filter(({ parameter }) => !others.has(parameter));
}

/** Returns the lowest and highest value of the alerts about a chart's value, so that its axis contains them. */
export function alertExtremes(
  alerts: readonly ChartAlert[],
  quantity: ChartQuantity,
): { low: number; high: number } | null {
  const values = alerts
    .filter(({ parameter }) => parameter === quantity)
    .flatMap(({ lowest, highest }) => [lowest, highest])
    .filter((value) => value !== null);
  return values.length === 0 ? null : { low: Math.min(...values), high: Math.max(...values) };
}

/**
 * Returns the bars of alerts in a window, in groups from left to right that do not overlap. A bar begins when the
 * condition did and ends with it; one that lasts ends with the window. `smallest` is the least width of a group, as a
 * part of the axis.
 */
export function alertGroups(alerts: readonly ChartAlert[], window: ChartWindow, smallest: number): AlertGroup[] {
  const bars = alerts.flatMap((alert) => barOf(alert, window) ?? []).sort((a, b) => a.left - b.left);
  const groups: AlertGroup[] = [];
  for (const bar of bars) {
    const group = groups.at(-1);
    const width = Math.max(bar.width, smallest);
    const left = Math.max(0, Math.min(bar.left, 1 - width));
    if (group !== undefined && left <= group.left + group.width) {
      group.bars.push(bar);
      group.width = Math.max(group.width, bar.left + bar.width - group.left);
    } else {
      groups.push({ left, width, bars: [bar] });
    }
  }
  for (const { bars: drawn } of groups) {
    drawn.sort((a, b) => priorities.indexOf(b.alert.priority) - priorities.indexOf(a.alert.priority));
  }
  return groups;
}

function barOf(alert: ChartAlert, { from, to }: ChartWindow): AlertBar | null {
  const started = parseInstant(alert.startedAt) ?? to;
  const ended = parseInstant(alert.endedAt ?? alert.closedAt ?? '') ?? to;
  if (started > to || ended < from || to <= from) {
    return null;
  }
  const left = (Math.max(started, from) - from) / (to - from);
  const right = (Math.min(ended, to) - from) / (to - from);
  return { alert, left, width: Math.max(0, right - left) };
}
