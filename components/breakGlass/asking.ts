import { useSyncExternalStore } from 'react';

/**
 * Whether the dialog of the emergency access is asked for: from the user menu, a search without result, a patient not
 * shown.
 */
let isAsking = false;
const listeners = new Set<() => void>();

/** Opens the dialog, which stands once in the shell, or closes it. */
export function askForBreakGlass(isWanted: boolean): void {
  isAsking = isWanted;
  for (const listener of listeners) {
    listener();
  }
}

/** Whether the dialog stands open. */
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
