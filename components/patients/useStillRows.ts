import { useEffect, useLayoutEffect, useRef, useState, type MouseEvent, type PointerEvent } from 'react';
import type { HeldRows } from '../../hooks/heldRows';

/** After this time without a pointer or key event in the list its rows may move again, in milliseconds. */
export const restMs = 120_000;
/** For how long the list ignores clicks after its rows have moved under a pointer, in milliseconds. */
const deafMs = 500;

interface Rows {
  /** The query (`patientsKey`), and its rows in their order; null while they are not known. */
  query: string;
  ids: readonly number[] | null;
}

interface StillRows {
  isHeld: boolean;
  /** For the element whose rows must not move. */
  handlers: {
    onPointerEnter: () => void;
    onPointerMove: () => void;
    onPointerDown: () => void;
    onPointerLeave: (event: PointerEvent) => void;
    onFocus: () => void;
    onKeyDown: () => void;
    onBlur: (event: { relatedTarget: EventTarget | null; currentTarget: Element }) => void;
    onClickCapture: (event: MouseEvent) => void;
  };
}

/**
 * Holds the rows of a list while a pointer or the keyboard focus is in it (screens.md section 2). `onRelease` is called
 * when they may move again. Rows that moved under a resting pointer take no clicks for half a second.
 */
export function useStillRows({ query, ids }: Rows, held: HeldRows, onRelease: () => void): StillRows {
  const [isHeld, setIsHeld] = useState(false);
  const inside = useRef({ pointer: false, focus: false });
  const deafUntil = useRef(-Infinity);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const order = ids?.join() ?? null;
  const last = useRef({ query, order });

  const release = (): void => {
    clearTimeout(timer.current);
    if (held.isHeld()) {
      held.release();
      setIsHeld(false);
      onRelease();
    }
  };
  const hold = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(release, restMs);
    if (held.idsOf(query) === null && ids !== null && ids.length > 0) {
      held.hold(query, ids);
      setIsHeld(true);
    }
  };
  const releaseIfLeft = (): void => {
    if (!inside.current.pointer && !inside.current.focus) {
      release();
    }
  };

  useLayoutEffect(() => {
    const before = last.current;
    last.current = { query, order };
    // The user has opened another view: now its rows are held.
    if (held.isHeld() && held.idsOf(query) === null && ids !== null) {
      held.hold(query, ids);
    }
    const isInside = inside.current.pointer || inside.current.focus;
    if (before.query === query && before.order !== null && before.order !== order && isInside) {
      deafUntil.current = performance.now() + deafMs;
    }
  });
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      held.release();
    },
    [held],
  );

  const point = (): void => {
    inside.current.pointer = true;
    hold();
  };
  return {
    isHeld,
    handlers: {
      onPointerEnter: point,
      onPointerMove: point,
      onPointerDown: point,
      onPointerLeave: ({ pointerType }) => {
        // A finger leaves with each touch, before the click: what moved then would be under the finger.
        if (pointerType !== 'touch') {
          inside.current.pointer = false;
          releaseIfLeft();
        }
      },
      onFocus: () => {
        inside.current.focus = true;
        hold();
      },
      onKeyDown: hold,
      onBlur: ({ relatedTarget, currentTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) {
          inside.current.focus = false;
          releaseIfLeft();
        }
      },
      onClickCapture: (event) => {
        if (performance.now() < deafUntil.current) {
          event.preventDefault();
          event.stopPropagation();
        }
      },
    },
  };
}
