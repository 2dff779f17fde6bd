import { useMemo } from 'react';
import type { AlertItem, AlertsPage } from '../lib/alerts/schema';
import { replaceById } from './replaceById';
import { alertsKey } from './useAlerts';
import { useCallOn } from './useCallOn';

/** What a user does with an open alert. Each throws `ApiFailure`; after it the alerts are shown as they are then. */
export interface AlertActs {
  /** Silences the alert without making the user responsible. */
  acknowledge: (id: number) => Promise<void>;
  /** Makes the user responsible, so that no one else is asked. */
  accept: (id: number) => Promise<void>;
}

export function useAlertActs(): AlertActs {
  const act = useCallOn<AlertsPage>(alertsKey);
  return useMemo(
    () => ({
      acknowledge: async (id) => void (await act('acknowledgeAlert', { params: { id } }, withAlert)),
      accept: async (id) => void (await act('acceptAlert', { params: { id } }, withAlert)),
    }),
    [act],
  );
}

/** The open alerts after one has changed: an action may have closed it. */
function withAlert(page: AlertsPage, alert: AlertItem): AlertsPage {
  if (alert.closedAt === null) {
    return replaceById(page, alert);
  }
  const items = page.items.filter(({ id }) => id !== alert.id);
  return { ...page, items, total: page.total - (page.items.length - items.length) };
}
