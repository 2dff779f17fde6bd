import { useMemo } from 'react';
import type { AlertsPage } from '../lib/alerts/schema';
import { maxPageSize } from '../lib/api/pageSize';
import type { ReadState } from './readState';
import { poll } from './poll';
import { unlessUnchanged } from './unlessUnchanged';
import { useNotedAlertRead } from './useAlertsOld';
import { useReadState, type Fresh } from './useReadState';
import { isReadOf } from './useRead';

const openKey = 'listAlerts open';

/** Returns whether an SWR key is that of a list of alerts. */
export function isAlertsKey(key: unknown): key is string {
  return typeof key === 'string' && isReadOf('listAlerts', key);
}

/**
 * Reads the open alerts within the user's reach, the most urgent first. `data` stays the same object until something
 * changes. `fallback` is the list that came with the page.
 */
export function useAlerts(fallback?: AlertsPage): ReadState<AlertsPage> {
  const response = useReadState(openKey, readAlerts, { fallback });
  useNotedAlertRead(openKey, response.asOf);
  const { data } = response;
  const open = useMemo(() => (data === undefined ? undefined : withoutClosed(data)), [data]);
  return { ...response, data: open };
}

async function readAlerts(held: AlertsPage | undefined): Promise<Fresh<AlertsPage>> {
  return unlessUnchanged(
    await poll('listAlerts', { query: { state: 'open', pageSize: maxPageSize, after: held?.version } }),
    held,
  );
}

/** Drops the alerts that an action has closed since the list was read (`useCall` puts its response into the list). */
function withoutClosed(page: AlertsPage): AlertsPage {
  const items = page.items.filter(({ closedAt }) => closedAt === null);
  const closed = page.items.length - items.length;
  return closed === 0 ? page : { ...page, items, total: page.total - closed };
}
