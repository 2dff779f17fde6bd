import type { AlertsPage } from '../lib/alerts/schema';
import { maxPageSize } from '../lib/api/pageSize';
import type { Answer } from './answer';
import { poll } from './poll';
import { unlessUnchanged } from './unlessUnchanged';
import { useAnswer, type Fresh } from './useAnswer';

export const alertsKey = 'alerts open';

/** Returns whether an SWR key is that of a list of alerts: all of them are read again after an action. */
export function isAlertsKey(known: unknown): known is string {
  return known === alertsKey;
}

/**
 * Reads the open alerts within the user's reach, the most urgent first. `data` stays the same object until something
 * changes. `fallback` is the list that came with the page.
 */
export function useAlerts(fallback?: AlertsPage): Answer<AlertsPage> {
  return useAnswer(alertsKey, readAlerts, { fallback });
}

async function readAlerts(held: AlertsPage | undefined): Promise<Fresh<AlertsPage>> {
  return unlessUnchanged(
    await poll('listAlerts', { query: { state: 'open', pageSize: maxPageSize, after: held?.version } }),
    held,
  );
}
