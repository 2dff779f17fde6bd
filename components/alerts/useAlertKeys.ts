import { useEffect, useEffectEvent, type RefObject } from 'react';
import { alertRowsIn } from './useRowFocus';

/** Keys that follow each other faster than this come from a scanner, in milliseconds (screens.md, section 2). */
export const scannerMs = 40;

type AlertKey = 'j' | 'k' | 'enter' | 'a' | 't';
const alertKeys: readonly string[] = ['j', 'k', 'enter', 'a', 't'] satisfies AlertKey[];
const elsewhere =
  'input, textarea, select, [contenteditable], dialog, [role="dialog"], [role="menu"], [role="listbox"], [popover]';
const overlays = 'dialog[open], [role="dialog"]';

interface KeyActs {
  acknowledge: (alertId: number) => void;
  take: (alertId: number) => void;
  open: (alertId: number) => void;
}

/**
 * J and K move from row to row of a list of alerts, Enter opens the patient, A acknowledges and T takes the alert that
 * has the keyboard. Nothing happens in a field, dialog or menu. A key counts only if no other one is within 40 ms of
 * it, so that a scanner of bar codes, which types and ends with Enter, does nothing here.
 */
export function useAlertKeys(list: RefObject<HTMLElement | null>, isOn: boolean, acts: KeyActs): void {
  const press = useEffectEvent((key: string, row: HTMLElement | null) => {
    const rows = alertRowsIn(list.current);
    if (key === 'j' || key === 'k') {
      const at = rows.findIndex((each) => each === row);
      rows[Math.min(rows.length - 1, Math.max(0, at + (key === 'j' ? 1 : -1)))]?.focus();
      return;
    }
    // Only the row that has the keyboard now, and had it when the key was pressed.
    if (row === null || rowOf(document.activeElement, list.current) !== row) {
      return;
    }
    const id = Number(row.dataset.alert);
    if (key === 'a') {
      acts.acknowledge(id);
    } else if (key === 't') {
      acts.take(id);
    } else if (document.activeElement === row) {
      acts.open(id);
    }
  });
  const note = useEffectEvent((event: KeyboardEvent, since: number, lastKey: string): (() => void) | null => {
    const { target, key } = event;
    const inList = target instanceof Element && list.current?.contains(target) === true;
    if (since < scannerMs) {
      // The Enter of a scanner, after what it typed, must not press the button that has the keyboard.
      if (inList && lastKey.length === 1 && (key === 'Enter' || key === ' ')) {
        event.preventDefault();
      }
      return null;
    }
    const isPlain = !event.ctrlKey && !event.altKey && !event.metaKey && !event.repeat && !event.defaultPrevented;
    const wanted = key.toLowerCase();
    const isElsewhere =
      (target instanceof Element && target.closest(elsewhere) !== null) || document.querySelector(overlays) !== null;
    if (!isOn || !isPlain || isElsewhere || !alertKeys.includes(wanted)) {
      return null;
    }
    const row = rowOf(document.activeElement, list.current);
    return () => {
      press(wanted, row);
    };
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

function rowOf(focused: Element | null, list: Element | null): HTMLElement | null {
  const row = focused?.closest<HTMLElement>('[data-alert]') ?? null;
  return row !== null && list?.contains(row) === true ? row : null;
}
