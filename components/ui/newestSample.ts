import { useEffect, useSyncExternalStore } from 'react';
import { parseInstant } from '../../lib/time/parseInstant';
import type { LatestValues } from '../../lib/vitals/schema';

/** The newest sample since a screen with values stands there, for the lamp that says whether values arrive at all. */
let newest: number | null = null;
/** How many such screens stand there: pages without any ask for none, and silence says nothing then. */
let screens = 0;
const listeners = new Set<() => void>();

/** Takes the instant that a shown sample's age counts from, epoch milliseconds. */
export function noteSample(asOf: number): void {
  if (newest === null || asOf > newest) {
    newest = asOf;
    tell();
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

/**
 * Says that this screen shows values for as long as it stands there. What was seen before is no news of the next one.
 */
export function useShownValues(): void {
  useEffect(() => {
    screens += 1;
    tell();
    return () => {
      screens -= 1;
      newest = screens === 0 ? null : newest;
      tell();
    };
  }, []);
}

/** Whether a screen stands there that shows values. */
export function useAreValuesShown(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => screens > 0,
    () => true,
  );
}

function tell(): void {
  for (const listener of listeners) {
    listener();
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
