import { storeText, useStoredText } from '../../hooks/useStoredText';

/** A key without Ctrl can be spoken or hit by accident, so it can be switched off (WCAG 2.2, 2.1.4). */
const storageKey = 'wardlight-slash-key';

/** Returns whether "/" opens the search in this browser (on if nothing can be stored) and the function that sets it. */
export function useSlashKey(): [boolean, (on: boolean) => void] {
  return [useStoredText(storageKey) !== 'off', choose];
}

function choose(on: boolean): void {
  storeText(storageKey, on ? 'on' : 'off');
}
