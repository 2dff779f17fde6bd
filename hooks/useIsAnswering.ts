import { useSyncExternalStore } from 'react';
import { isAnswering } from '../lib/browser/serverClock';
import { subscribeToTicks } from './ticker';

/** Returns whether the server answers: false from a call without an answer until the next one with one. */
export function useIsAnswering(): boolean {
  return useSyncExternalStore(subscribeToTicks, isAnswering, () => true);
}
