import { useLayoutEffect, useRef, type FocusEvent, type RefObject } from 'react';

/**
 * Returns handlers that keep the keyboard in a list when the button or the row that has it goes: on the same row, else
 * on the row that is now in its place, else on `fallback`. Never on a button, so that a second Enter acts on no other
 * patient.
 */
export function useRowFocus(
  list: RefObject<HTMLElement | null>,
  fallback: RefObject<HTMLElement | null>,
): { onFocus: (event: FocusEvent) => void; onBlur: (event: FocusEvent) => void } {
  const last = useRef<{ row: Element; place: number } | null>(null);
  useLayoutEffect(() => {
    const rows = [...(list.current?.children ?? [])];
    if (last.current === null) {
      return;
    }
    const { row, place } = last.current;
    if (document.activeElement === document.body) {
      const next = row.isConnected ? row : (rows[Math.min(place, rows.length - 1)] ?? fallback.current);
      if (next instanceof HTMLElement) {
        next.focus({ preventScroll: true });
      }
    } else if (row.isConnected) {
      last.current.place = rows.indexOf(row);
    }
  });
  return {
    onFocus: ({ target }) => {
      const row = target.closest('li');
      last.current = row === null ? null : { row, place: [...(list.current?.children ?? [])].indexOf(row) };
    },
    // React reports no blur of an element that it removes, so this is a user who leaves.
    onBlur: () => {
      last.current = null;
    },
  };
}
