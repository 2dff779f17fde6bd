import { useSyncExternalStore } from 'react';
import { lostSince } from '../lib/browser/serverClock';
import { subscribeToTicks } from './ticker';

/** Since when (server's time, epoch milliseconds) the server has not answered, once that is 10 s or more; else null. */
export function useServerLost(): number | null {
  return useSyncExternalStore(subscribeToTicks, lostSince, () => null);
}
