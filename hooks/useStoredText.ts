import { useSyncExternalStore } from 'react';
import { createListeners } from '../lib/browser/listeners';

/** Choices that outlive the page and the session, in the browser's storage. They must not contain patient data. */

const changes = createListeners();

/** Returns the stored text of a key; null if there is none, or if storage is forbidden. */
export function readStoredText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Stores a text under a key and notifies the hooks that read it. Returns false if storage is full or forbidden: nothing
 * is stored then.
 */
export function storeText(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text);
  } catch {
    return false;
  }
  changes.notify();
  return true;
}

/** Returns the stored text of a key, also after a change in this tab or another; null until the page is hydrated. */
export function useStoredText(key: string): string | null {
  return useSyncExternalStore(
    subscribe,
    () => readStoredText(key),
    () => null,
  );
}

function subscribe(listener: () => void): () => void {
  const end = changes.subscribe(listener);
  window.addEventListener('storage', listener);
  return () => {
    end();
    window.removeEventListener('storage', listener);
  };
}
