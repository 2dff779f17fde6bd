import { useEffect, useEffectEvent } from 'react';

/** Keys that follow each other faster than this come from a scanner, in milliseconds (screens.md, section 2). */
export const scannerMs = 40;

const elsewhere =
  'input, textarea, select, [contenteditable], dialog, [role="dialog"], [role="menu"], [role="listbox"], [popover]';
const overlays = 'dialog[open], [role="dialog"]';

/**
 * Single keys that act. Nothing happens in a field, dialog or menu. A key counts only if no other one is within 40 ms
 * of it, so that a scanner of bar codes, which types and ends with Enter, does nothing here. `prepare` takes the key in
 * lower case at the moment in which it is pressed, and returns what it does. `onScanned` takes each key that followed
 * another one too fast, with that one.
 */
export function useSingleKeys(
  isOn: boolean,
  keys: readonly string[],
  prepare: (key: string) => () => void,
  onScanned?: (event: KeyboardEvent, before: string) => void,
): void {
  const note = useEffectEvent((event: KeyboardEvent, since: number, lastKey: string): (() => void) | null => {
    if (since < scannerMs) {
      onScanned?.(event, lastKey);
      return null;
    }
    const { target } = event;
    const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey && !event.repeat && !event.defaultPrevented;
    const wanted = event.key.toLowerCase();
    const isElsewhere =
      (target instanceof Element && target.closest(elsewhere) !== null) || document.querySelector(overlays) !== null;
    return !isOn || !isPlain || isElsewhere || !keys.includes(wanted) ? null : prepare(wanted);
  });
  useEffect(() => {
    let lastAt = Number.NEGATIVE_INFINITY;
    let lastKey = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      const at = performance.now();
      const pressing = note(event, at - lastAt, lastKey);
      lastAt = at;
      lastKey = event.key;
      clearTimeout(timer);
      timer = pressing === null ? undefined : setTimeout(pressing, scannerMs);
    };
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => {
      clearTimeout(timer);
      document.removeEventListener('keydown', onKeyDown, { capture: true });
    };
  }, []);
}
