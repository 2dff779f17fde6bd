import { useSyncExternalStore } from 'react';
import type { FailureCause } from '../lib/api/failureCause';
import { lostBecause, lostSince } from '../lib/browser/serverClock';
import { subscribeToTicks } from './ticker';

/** Since when (server's time, epoch milliseconds) the server has not answered, once that is 10 s or more; else null. */
export function useServerLost(): number | null {
  return useSyncExternalStore(subscribeToTicks, lostSince, () => null);
}

/** Returns why the server's answers bring nothing, for as long as `useServerLost` says so. */
export function useLostBecause(): FailureCause {
  return useSyncExternalStore(subscribeToTicks, lostBecause, () => 'unreachable');
}
