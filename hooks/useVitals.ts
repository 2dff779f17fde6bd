import type { VitalKind } from '../lib/vitals/kinds';
import type { VitalsResponse } from '../lib/vitals/schema';
import { poll } from './poll';
import type { ReadState } from './readState';
import { useTimeWindow, type TimeWindow } from './useTimeWindow';

export interface VitalsWindow extends TimeWindow {
  kinds: readonly VitalKind[];
  /** The most points per kind in the response. */
  points: number;
}

/** Reads a patient's vitals. */
export function useVitals({ kinds, points, ...window }: VitalsWindow): ReadState<VitalsResponse> {
  const kind = kinds.join(',');
  return useTimeWindow(`getVitals ${kind} ${points}`, window, ({ params, query }) =>
    poll('getVitals', { params, query: { ...query, kind, points } }),
  );
}
