import { useSyncExternalStore } from 'react';

/** What the walkthrough and the screens that it points at say to each other. */

/** How often a user has asked to begin the walkthrough again since the page was loaded. */
let askedTimes = 0;
/** The walkthrough points at rows of the list, which must not change their places meanwhile. */
let holdsRows = false;
const listeners = new Set<() => void>();

/** Begins the walkthrough again, from the user's menu. */
export function askForTour(): void {
  askedTimes += 1;
  notify();
}

/** Returns how often the walkthrough was asked for since the page was loaded. */
export function useAskedTour(): number {
  return useSyncExternalStore(
    subscribe,
    () => askedTimes,
    () => 0,
  );
}

/** Holds the order of the list of patients, or lets it go. */
export function holdRowsForTour(isHeld: boolean): void {
  if (holdsRows !== isHeld) {
    holdsRows = isHeld;
    notify();
  }
}

/** Returns whether the walkthrough needs the order of the list of patients to stay. */
export function useRowsHeldForTour(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => holdsRows,
    () => false,
  );
}

function notify(): void {
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
