import { clientFailure } from '../lib/browser/client';
import { serverNow } from '../lib/browser/serverClock';
import type { ChartWindow } from '../lib/vitals/chartGaps';
import type { ReadState } from './readState';
import { useReadState, type Fresh } from './useReadState';

/** A time of one patient. */
export interface TimeWindow {
  patientId: number;
  /** How far back from now the window reaches, in milliseconds. */
  rangeMs: number;
  /** The zoomed window, shown instead; null for the window up to now. */
  zoom: ChartWindow | null;
}

interface WindowInput {
  params: { id: number };
  query: { from: string; to: string };
}

/**
 * Reads something of a patient from `rangeMs` ago to now, a window that moves with every poll, or of the zoomed window,
 * which is polled too, because samples may arrive late. While another window loads, and if it cannot be loaded, the
 * last one of the same patient stays: `data.from` and `data.to` say what it covers. `name` begins the SWR key.
 */
export function useTimeWindow<Data extends { patientId: number }>(
  name: string,
  { patientId, rangeMs, zoom }: TimeWindow,
  read: (input: WindowInput) => Promise<Fresh<Data>>,
  everyMs?: number,
): ReadState<Data> {
  const time = zoom === null ? rangeMs : `${zoom.from} to ${zoom.to}`;
  // The values of another patient must never be shown under this name.
  const isOfPatient = (data: Data): boolean => data.patientId === patientId;
  return useReadState(
    `${name} ${patientId} ${time}`,
    async () => {
      const now = serverNow();
      if (now === null) {
        throw clientFailure('unreachable');
      }
      const { from, to } = zoom ?? { from: now - rangeMs, to: now };
      const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      const fresh = await read({ params: { id: patientId }, query });
      if (!isOfPatient(fresh.data)) {
        throw clientFailure('unreadable_response');
      }
      return fresh;
    },
    { keepPreviousData: isOfPatient, everyMs },
  );
}
