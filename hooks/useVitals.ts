import { clientFailure } from '../lib/browser/client';
import { serverNow } from '../lib/browser/serverClock';
import type { ChartWindow } from '../lib/vitals/chartGaps';
import type { VitalKind } from '../lib/vitals/kinds';
import type { VitalsResponse } from '../lib/vitals/schema';
import type { ReadState } from './readState';
import { poll } from './poll';
import { useReadState, type Fresh } from './useReadState';

export interface VitalsWindow {
  patientId: number;
  kinds: readonly VitalKind[];
  /** How far back from now the window reaches, in milliseconds. */
  rangeMs: number;
  /** The zoomed window, shown instead; null for the window up to now. */
  zoom: ChartWindow | null;
  /** The most points per kind in the response. */
  points: number;
}

/**
 * Reads a patient's vitals from `rangeMs` ago to now, a window that moves with every poll, or of the zoomed window,
 * which is polled too, because samples may arrive late. While another window loads, the last one of the same patient
 * stays: `data.from` and `data.to` say what it covers.
 */
export function useVitals(window: VitalsWindow): ReadState<VitalsResponse> {
  const { patientId, kinds, rangeMs, zoom, points } = window;
  const time = zoom === null ? rangeMs : `${zoom.from} to ${zoom.to}`;
  const key = `vitals ${patientId} ${kinds.join(',')} ${time} ${points}`;
  const response = useReadState(key, () => readVitals(window), { keepPreviousData: true });
  if (response.data !== undefined && response.data.patientId !== patientId) {
    // The previous data are another patient's: their values must never be shown under this name.
    return { ...response, data: undefined, error: undefined, isLoading: true, isRefreshing: false, asOf: null };
  }
  return response;
}

async function readVitals({ patientId, kinds, rangeMs, zoom, points }: VitalsWindow): Promise<Fresh<VitalsResponse>> {
  const now = serverNow();
  if (now === null) {
    throw clientFailure('unreachable');
  }
  const { from, to } = zoom ?? { from: now - rangeMs, to: now };
  const query = { kind: kinds.join(','), from: new Date(from).toISOString(), to: new Date(to).toISOString(), points };
  const { data, serverTime } = await poll('getVitals', { params: { id: patientId }, query });
  if (data.patientId !== patientId) {
    throw clientFailure('unreadable_response');
  }
  return { value: data, asOf: serverTime };
}
