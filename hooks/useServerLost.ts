import { useSyncExternalStore } from 'react';
import type { FailureCause } from '../lib/api/failureCause';
import { lostBecause, lostSince } from '../lib/browser/serverClock';
import { subscribeToTicks } from './ticker';

/** Returns since when the server has not responded, in its own time (epoch milliseconds); null for less than 10 s. */
export function useServerLost(): number | null {
  return useSyncExternalStore(subscribeToTicks, lostSince, () => null);
}

/** Returns why the calls to the server fail. Only meaningful while `useServerLost` is not null. */
export function useLostBecause(): FailureCause {
  return useSyncExternalStore(subscribeToTicks, lostBecause, () => 'unreachable');
}
