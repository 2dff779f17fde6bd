import { useEffect, useSyncExternalStore } from 'react';
import { parseInstant } from '../../lib/time/parseInstant';
import type { LatestValues } from '../../lib/vitals/schema';

/** The newest sample on any screen since the page was opened, for the lamp that says whether values arrive at all. */
let newest: number | null = null;
const listeners = new Set<() => void>();

/** Takes the instant that a shown sample's age counts from, epoch milliseconds. */
export function noteSample(asOf: number): void {
  if (newest === null || asOf > newest) {
    newest = asOf;
    for (const listener of listeners) {
      listener();
    }
  }
}

/** Takes the patients of a page that shows no value of each, so that the lamp knows all the same. */
export function useNotedSamples(patients: readonly { latest: LatestValues }[]): void {
  useEffect(() => {
    for (const { latest } of patients) {
      const asOf = latest.spo2 === undefined ? null : parseInstant(latest.spo2.asOf);
      if (asOf !== null) {
        noteSample(asOf);
      }
    }
  }, [patients]);
}

/** The instant that the newest sample's age counts from, epoch milliseconds; null before one was seen. */
export function useNewestSample(): number | null {
  return useSyncExternalStore(
    subscribe,
    () => newest,
    () => null,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
