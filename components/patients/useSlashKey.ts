import { useSyncExternalStore } from 'react';

/** A key without Ctrl can be spoken or hit by accident, so it can be switched off (WCAG 2.2, 2.1.4). */
const storageKey = 'wardlight-slash-key';
const listeners = new Set<() => void>();

function isOn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off';
  } catch {
    return true;
  }
}

function choose(on: boolean): void {
  try {
    localStorage.setItem(storageKey, on ? 'on' : 'off');
  } catch {
    // Storage is full or forbidden: the key stays on.
  }
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

/** Whether "/" alone finds a patient in this browser, and the function that switches it. */
export function useSlashKey(): [boolean, (on: boolean) => void] {
  return [useSyncExternalStore(subscribe, isOn, () => true), choose];
}
