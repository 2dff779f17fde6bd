import { useEffect, useState, useSyncExternalStore } from 'react';
import { alertsOldSince, holdAlertRead, noteAlertRead } from '../lib/browser/alertReads';
import type { EpochMs } from '../lib/time/epochMs';
import type { ReadState } from './readState';
import { subscribeToTicks } from './ticker';
import { useServerLost } from './useServerLost';

/** Returns since when alerts on this page have not been answered (epoch milliseconds); null for less than 10 s. */
export function useAlertsOldSince(): EpochMs | null {
  return useSyncExternalStore(subscribeToTicks, alertsOldSince, () => null);
}

/** Returns whether alerts are as they were, so that nothing can be done: a poll failed or is not answered. */
export function useAreAlertsOld(error: ReadState<unknown>['error']): boolean {
  const isLost = useServerLost() !== null;
  return useAlertsOldSince() !== null || isLost || error !== undefined;
}

/** Lets a read of alerts count for `useAlertsOldSince` while it is on the page; one without a key asks nothing. */
export function useNotedAlertRead(key: string | null, asOf: EpochMs | null): void {
  const [read] = useState(() => ({}));
  useEffect(() => (key === null ? undefined : holdAlertRead(read)), [key, read]);
  useEffect(() => {
    if (key !== null && asOf !== null) {
      noteAlertRead(read, asOf);
    }
  }, [key, asOf, read]);
}
