import type { ChartMarks } from '../lib/alerts/chartMarksSchema';
import { poll } from './poll';
import type { ReadState } from './readState';
import { isReadOf } from './useRead';
import { useTimeWindow, type TimeWindow } from './useTimeWindow';

/** Limits change rarely, and an alert brings its own event. In milliseconds. */
const everyMs = 30_000;

/** Returns whether an SWR key is that of a chart's limits and alerts. */
export function isChartMarksKey(key: string): boolean {
  return isReadOf('getChartMarks', key);
}

/** Reads the limits and the alerts of a patient's charts over the same time as `useVitals`. */
export function useChartMarks(window: TimeWindow): ReadState<ChartMarks> {
  return useTimeWindow('getChartMarks', window, (input) => poll('getChartMarks', input), everyMs);
}
