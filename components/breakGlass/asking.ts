import { useSyncExternalStore } from 'react';

/** Whether the dialog of emergency access is open. The user menu, an empty search or a missing patient opens it. */
let isAsking = false;
const listeners = new Set<() => void>();

/** Opens or closes the dialog, which the shell draws once (`BreakGlassPlace`). */
export function askForBreakGlass(isWanted: boolean): void {
  isAsking = isWanted;
  for (const listener of listeners) {
    listener();
  }
}

/** Whether the dialog is open. */
export function useIsAsking(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isAsking,
    () => false,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
