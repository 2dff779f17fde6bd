import { useState, useSyncExternalStore } from 'react';
import { startServerClock } from '../lib/browser/serverClock';
import { subscribeToTicks, tickedNow } from './ticker';

/**
 * Returns the server's time in epoch milliseconds, updated every second. `initial` is the time at which the page was
 * rendered: the browser shows it until its first tick, within a second, so that its first render equals the server's.
 */
export function useNow(initial: number): number {
  useState(() => {
    if (typeof window !== 'undefined') {
      startServerClock(initial);
    }
  });
  return useSyncExternalStore(
    subscribeToTicks,
    () => tickedNow() ?? initial,
    () => initial,
  );
}
