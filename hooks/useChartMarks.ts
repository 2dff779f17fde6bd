import { clientFailure } from '../lib/browser/client';
import { serverNow } from '../lib/browser/serverClock';
import type { ChartMarks } from '../lib/alerts/chartMarksSchema';
import type { ChartWindow } from '../lib/vitals/chartGaps';
import { poll } from './poll';
import type { ReadState } from './readState';
import { isReadOf } from './useRead';
import { useReadState, type Fresh } from './useReadState';

interface MarksWindow {
  patientId: number;
  /** How far back from now the window reaches, in milliseconds. */
  rangeMs: number;
  /** The zoomed window, shown instead; null for the window up to now. */
  zoom: ChartWindow | null;
}

/** Limits change rarely, and an alert brings its own event. In milliseconds. */
const everyMs = 30_000;

/** Returns whether an SWR key is that of a chart's limits and alerts. */
export function isChartMarksKey(key: string): boolean {
  return isReadOf('getChartMarks', key);
}

/** Reads the limits and the alerts of a patient's charts over the same time as `useVitals`. Never another patient's. */
export function useChartMarks(window: MarksWindow): ReadState<ChartMarks> {
  const { patientId, rangeMs, zoom } = window;
  const key = `getChartMarks ${patientId} ${zoom === null ? rangeMs : `${zoom.from} to ${zoom.to}`}`;
  const response = useReadState(key, () => readMarks(window), { keepPreviousData: true, everyMs });
  return response.data !== undefined && response.data.patientId !== patientId
    ? { ...response, data: undefined, error: undefined, isLoading: true, isRefreshing: false, asOf: null }
    : response;
}

async function readMarks({ patientId, rangeMs, zoom }: MarksWindow): Promise<Fresh<ChartMarks>> {
  const now = serverNow();
  if (now === null) {
    throw clientFailure('unreachable');
  }
  const { from, to } = zoom ?? { from: now - rangeMs, to: now };
  const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const { data, serverTime } = await poll('getChartMarks', { params: { id: patientId }, query });
  if (data.patientId !== patientId) {
    throw clientFailure('unreadable_response');
  }
  return { value: data, asOf: serverTime };
}
