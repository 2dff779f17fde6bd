import type { AlertsPage } from '../lib/alerts/schema';
import type { ReadState } from './readState';
import { poll } from './poll';
import { unlessUnchanged } from './unlessUnchanged';
import { useNotedAlertRead } from './useAlertsOld';
import { useReadState } from './useReadState';

/** Alerts that were read by their ids. One that was asked for and is not among them the user may not see. */
export interface ShownAlerts extends AlertsPage {
  asked: readonly number[];
}

/** Reads these alerts, open or closed, in one call. Reads nothing if there are none. The ids are in a fixed order. */
export function useShownAlerts(ids: readonly number[]): ReadState<ShownAlerts> {
  // The name of the call, so that an act on an alert changes it here as well (`useCall`).
  const key = ids.length === 0 ? null : `listAlerts of ${ids.join()}`;
  const response = useReadState<ShownAlerts>(
    key,
    async (held) => {
      const query = { ids: ids.join(), after: held?.version };
      const { data, serverTime } = unlessUnchanged<AlertsPage>(await poll('listAlerts', { query }), held);
      return { data: data === held ? held : { ...data, asked: ids }, serverTime };
    },
    { keepPreviousData: true },
  );
  useNotedAlertRead(key, response.asOf);
  return response;
}
