import { useSyncExternalStore } from 'react';

/** Choices that outlive the page and the session, in the browser's storage. Nothing of a patient may stand there. */

const listeners = new Set<() => void>();

/** What this browser keeps under a key; null where it keeps nothing, or where its storage is closed. */
export function readStoredText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Keeps a text under a key and tells whoever shows it. Returns false where storage is full or closed: nothing is
 * remembered then.
 */
export function storeText(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text);
  } catch {
    return false;
  }
  for (const listener of listeners) {
    listener();
  }
  return true;
}

/** The same as `readStoredText`, also after a change in this tab or another; null until the browser has taken over. */
export function useStoredText(key: string): string | null {
  return useSyncExternalStore(
    subscribe,
    () => readStoredText(key),
    () => null,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
