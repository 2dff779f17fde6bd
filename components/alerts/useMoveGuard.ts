import { useEffect, useLayoutEffect, useRef, useState, type MouseEvent } from 'react';

/** For so long after a list has moved its buttons ignore a click, which was meant for what was there before. */
export const guardedForMs = 500;

/** For so long a user reads that a click was ignored, in milliseconds. */
export const ignoredShownMs = 3_000;

/** A click that was ignored because the rows had just moved: where it was in the window, in CSS pixels. */
export interface Ignored {
  x: number;
  y: number;
  /** A key was pressed. */
  isKey: boolean;
}

interface MoveGuard {
  /** The click that was ignored a moment ago, for `IgnoredClick`; null: none. */
  ignored: Ignored | null;
  onClickCapture: (event: MouseEvent) => void;
  /** Notes that the keyboard was moved: a second Enter must not press what it is on now. */
  noteFocusMoved: () => void;
}

/**
 * Ignores clicks in a list for half a second after its rows have moved. `order` names the rows in their places. `view`
 * names what the user has chosen to see: rows that come with another view are expected.
 */
export function useMoveGuard(order: string, view = ''): MoveGuard {
  const before = useRef({ order, view });
  const movedAt = useRef(Number.NEGATIVE_INFINITY);
  const focusedAt = useRef(Number.NEGATIVE_INFINITY);
  const [ignored, setIgnored] = useState<Ignored | null>(null);
  useEffect(() => {
    if (ignored === null) {
      return undefined;
    }
    const timer = setTimeout(() => setIgnored(null), ignoredShownMs);
    return () => clearTimeout(timer);
  }, [ignored]);
  useLayoutEffect(() => {
    const last = before.current;
    before.current = { order, view };
    if (last.view === view && last.order !== order) {
      movedAt.current = performance.now();
    }
  }, [order, view]);
  return {
    ignored,
    onClickCapture: (event) => {
      const now = performance.now();
      // A key press clicks without a pointer: `detail` is 0.
      const isKey = event.detail === 0;
      const hasMoved = now - movedAt.current < guardedForMs;
      if (hasMoved || (isKey && now - focusedAt.current < guardedForMs)) {
        event.preventDefault();
        event.stopPropagation();
      }
      // A second Enter after an act is not what its user wants said, least of all "again".
      setIgnored(hasMoved ? placeOf(event, isKey) : null);
    },
    noteFocusMoved: () => {
      focusedAt.current = performance.now();
    },
  };
}

function placeOf({ clientX, clientY, target }: MouseEvent, isKey: boolean): Ignored {
  if (!isKey || !(target instanceof Element)) {
    return { x: clientX, y: clientY, isKey };
  }
  const { left, bottom } = target.getBoundingClientRect();
  return { x: left, y: bottom, isKey };
}
