import { useSyncExternalStore } from 'react';
import { alertsStopped } from '../lib/browser/alertPath';
import { subscribeToTicks } from './ticker';

/** Returns since when the server can raise no alerts, in its own time (epoch milliseconds); null while it can. */
export function useAlertsStopped(): number | null {
  return useSyncExternalStore(subscribeToTicks, alertsStopped, () => null);
}
