import { clientFailure } from '../lib/browser/client';
import { serverNow } from '../lib/browser/serverClock';
import type { SymptomStripResponse } from '../lib/symptoms/stripSchema';
import type { ChartWindow } from '../lib/vitals/chartGaps';
import { poll } from './poll';
import type { ReadState } from './readState';
import { useReadState, type Fresh } from './useReadState';

interface StripWindow {
  patientId: number;
  /** How far back from now the window reaches, in milliseconds. */
  rangeMs: number;
  /** The zoomed window, shown instead; null for the window up to now. */
  zoom: ChartWindow | null;
}

/** Reads what a patient reported over the same time as `useVitals`. Never another patient's. */
export function useSymptomStrip(window: StripWindow): ReadState<SymptomStripResponse> {
  const { patientId, rangeMs, zoom } = window;
  const key = `getSymptomStrip ${patientId} ${zoom === null ? rangeMs : `${zoom.from} to ${zoom.to}`}`;
  const response = useReadState(key, () => readStrip(window), { keepPreviousData: true });
  return response.data !== undefined && response.data.patientId !== patientId
    ? { ...response, data: undefined, error: undefined, isLoading: true, isRefreshing: false, asOf: null }
    : response;
}

async function readStrip({ patientId, rangeMs, zoom }: StripWindow): Promise<Fresh<SymptomStripResponse>> {
  const now = serverNow();
  if (now === null) {
    throw clientFailure('unreachable');
  }
  const { from, to } = zoom ?? { from: now - rangeMs, to: now };
  const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  const { data, serverTime } = await poll('getSymptomStrip', { params: { id: patientId }, query });
  if (data.patientId !== patientId) {
    throw clientFailure('unreadable_response');
  }
  return { value: data, asOf: serverTime };
}
