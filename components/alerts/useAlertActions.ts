import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import type { AlertItem } from '../../lib/alerts/schema';
import type { ApiFailure } from '../../lib/browser/client';

/** `acknowledge` silences an alert; `accept` also makes the user responsible, so that no one else is asked. */
export type AlertAction = 'acknowledge' | 'accept';

export interface AlertActions {
  /** The action whose response is awaited; null if none is. */
  running: AlertAction | null;
  /** Why the last action was refused. */
  failure: ApiFailure | null;
  /** Runs an action unless one is running. The open alerts then show its response. */
  run: (action: AlertAction) => Promise<void>;
}

/** Returns what a user does with one open alert as it is shown, one action at a time. */
export function useAlertActions({ id, version }: Pick<AlertItem, 'id' | 'version'>): AlertActions {
  const calls = { acknowledge: useCall('acknowledgeAlert'), accept: useCall('acceptAlert') };
  const [running, setRunning] = useState<AlertAction | null>(null);
  const [failure, setFailure] = useState<ApiFailure | null>(null);
  const run = async (action: AlertAction): Promise<void> => {
    if (running !== null) {
      return;
    }
    setRunning(action);
    setFailure(null);
    const refused = await calls[action]({ params: { id }, body: { version } }).then(
      () => null,
      (problem: ApiFailure) => problem,
    );
    setFailure(refused);
    setRunning(null);
  };
  return { running, failure, run };
}
