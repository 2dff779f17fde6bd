import { useCallback, useLayoutEffect, useRef, useState, type FocusEvent, type RefObject } from 'react';

interface RowFocus {
  onFocus: (event: FocusEvent) => void;
  onBlur: (event: FocusEvent) => void;
  /** Moves the keyboard to the next action of a row after an act, unless it has gone elsewhere meanwhile. */
  moveOn: (row: Element | null) => void;
}

/** The rows of a list, one for each alert. */
export function alertRowsIn(list: Element | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('[data-alert]') ?? [])];
}

/**
 * Keeps the keyboard in a list of alerts. After an act it goes to the row's next action (`data-next`). When the button
 * or the row that has it goes, it stays on the same row, else on the row that is now in its place, else on `fallback`:
 * never on a button of another patient, and never at the top of the page.
 */
export function useRowFocus(
  list: RefObject<HTMLElement | null>,
  fallback: RefObject<HTMLElement | null>,
  noteMoved: () => void,
): RowFocus {
  const last = useRef<{ row: Element; place: number } | null>(null);
  const [acted, setActed] = useState<{ row: Element } | null>(null);
  const done = useRef<{ row: Element } | null>(null);
  useLayoutEffect(() => {
    const rows = alertRowsIn(list.current);
    if (last.current !== null && document.activeElement === document.body) {
      const { row, place } = last.current;
      const isOwnAct = row.isConnected && acted?.row === row;
      const inPlace = row.isConnected ? row : (rows[Math.min(place, rows.length - 1)] ?? fallback.current);
      const next = (isOwnAct ? row.querySelector('[data-next]') : null) ?? inPlace;
      if (next instanceof HTMLElement) {
        next.focus({ preventScroll: true });
        noteMoved();
      }
    } else if (last.current?.row.isConnected === true) {
      last.current.place = rows.findIndex((row) => row === last.current?.row);
    }
    if (acted !== null && acted !== done.current) {
      done.current = acted;
      if (acted.row.contains(document.activeElement)) {
        acted.row.querySelector<HTMLElement>('[data-next]')?.focus({ preventScroll: true });
        noteMoved();
      }
    }
  });
  const moveOn = useCallback((row: Element | null): void => {
    if (row !== null) {
      setActed({ row });
    }
  }, []);
  return {
    onFocus: ({ target }) => {
      const row = target.closest('[data-alert]');
      const place = alertRowsIn(list.current).findIndex((each) => each === row);
      last.current = row === null ? null : { row, place };
    },
    // React reports no blur of an element that it removes, so this is a user who leaves.
    onBlur: () => {
      last.current = null;
    },
    moveOn,
  };
}
