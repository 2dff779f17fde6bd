import { useSyncExternalStore } from 'react';
import { notStoredSince } from '../lib/browser/alertPath';
import { subscribeToTicks } from './ticker';

/** Returns since when the server can store nothing, in its own time (epoch milliseconds); null while it can. */
export function useNotStored(): number | null {
  return useSyncExternalStore(subscribeToTicks, notStoredSince, () => null);
}
