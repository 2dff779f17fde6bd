import { clientFailure } from '../lib/browser/client';
import { serverNow } from '../lib/browser/serverClock';
import type { ChartWindow } from '../lib/vitals/chartGaps';
import type { VitalKind } from '../lib/vitals/kinds';
import type { VitalsResponse } from '../lib/vitals/schema';
import type { Answer } from './answer';
import { poll } from './poll';
import { useAnswer, type Fresh } from './useAnswer';

export interface VitalsWindow {
  patientId: number;
  kinds: readonly VitalKind[];
  /** How far back from now the window reaches, in milliseconds. */
  rangeMs: number;
  /** Shown instead, where somebody looks at one stretch more closely; null for the window up to now. */
  zoom: ChartWindow | null;
  /** The most points per kind that the answer may carry. */
  points: number;
}

/**
 * A patient's vitals from `rangeMs` ago to now, a window that moves with every refresh, or of a stretch that stays and
 * is refreshed all the same, because samples may come late. While another window loads, the last one of the same
 * patient stays: `data.from` and `data.to` say what it covers.
 */
export function useVitals(window: VitalsWindow): Answer<VitalsResponse> {
  const { patientId, kinds, rangeMs, zoom, points } = window;
  const key = `vitals ${patientId} ${kinds.join(',')} ${zoom === null ? rangeMs : `${zoom.from} to ${zoom.to}`} ${points}`;
  const answer = useAnswer(key, () => readVitals(window), { keepPreviousData: true });
  if (answer.data !== undefined && answer.data.patientId !== patientId) {
    // The previous data are another patient's, whose values must never stand under this one's name.
    return { ...answer, data: undefined, error: undefined, isLoading: true, isRefreshing: false, asOf: null };
  }
  return answer;
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
