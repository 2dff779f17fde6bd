import type { LoggedEvent } from '../lib/alerts/schema';
import { call } from '../lib/browser/client';
import { useOnce } from './useOnce';

/** Reads the log of one alert once, for one that is closed; undefined until it is there, and if it cannot be read. */
export function useAlertLog(id: number): readonly LoggedEvent[] | undefined {
  return useOnce(`listAlertEvents ${id}`, async () => (await call('listAlertEvents', { params: { id } })).items).data;
}
