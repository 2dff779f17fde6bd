import type { SymptomStripResponse } from '../lib/symptoms/stripSchema';
import { poll } from './poll';
import type { ReadState } from './readState';
import { useTimeWindow, type TimeWindow } from './useTimeWindow';

/** Reads what a patient reported over the same time as `useVitals`. */
export function useSymptomStrip(window: TimeWindow): ReadState<SymptomStripResponse> {
  return useTimeWindow('getSymptomStrip', window, (input) => poll('getSymptomStrip', input));
}
