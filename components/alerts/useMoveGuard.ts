import { useLayoutEffect, useRef, type MouseEvent } from 'react';

/** For so long after a list has moved its buttons ignore a click, which was meant for what was there before. */
export const guardedForMs = 500;

interface MoveGuard {
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
  useLayoutEffect(() => {
    const last = before.current;
    before.current = { order, view };
    if (last.view === view && last.order !== order) {
      movedAt.current = performance.now();
    }
  }, [order, view]);
  return {
    onClickCapture: (event) => {
      const now = performance.now();
      // A key press clicks without a pointer: `detail` is 0.
      const isGuarded = now - movedAt.current < guardedForMs;
      if (isGuarded || (event.detail === 0 && now - focusedAt.current < guardedForMs)) {
        event.preventDefault();
        event.stopPropagation();
      }
    },
    noteFocusMoved: () => {
      focusedAt.current = performance.now();
    },
  };
}
