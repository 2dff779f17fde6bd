import { useState, type PointerEvent } from 'react';

/** How long a hold lasts after the last key, or the last touch of a screen. */
export const heldForMs = 20_000;

export interface Hold<Kept> {
  /** What was kept when the hold began; null while nothing is held. */
  kept: Kept | null;
  /** Keeps something else for the rest of the hold. */
  keep: (kept: Kept) => void;
  /** Keeps what is there now instead, for the rest of the hold. */
  showNow: () => void;
  /** For the element in which nothing may move under the pointer or the keyboard. */
  handlers: {
    onPointerEnter: (event: PointerEvent) => void;
    onPointerDown: (event: PointerEvent) => void;
    onPointerMove: (event: PointerEvent) => void;
    onPointerLeave: (event: PointerEvent) => void;
    onFocus: () => void;
    onKeyDown: () => void;
    onBlur: (event: { relatedTarget: EventTarget | null; currentTarget: Element }) => void;
  };
}

/**
 * Keeps what `take` returns from the moment in which a user points at an element or enters it with the keyboard until
 * they leave it. `now` in epoch milliseconds. `restForMs` is how long a pointer may rest there without a movement: a
 * screen that is left alone with a pointer on it must not hide what is new.
 */
export function useHold<Kept>(take: () => Kept, now: number, restForMs: number): Hold<Kept> {
  const [held, setHeld] = useState<{ kept: Kept; touchedAt: number; isPointedAt: boolean } | null>(null);
  const isHeld = held !== null && now - held.touchedAt <= (held.isPointedAt ? restForMs : heldForMs);
  const isPointedAt = isHeld && held.isPointedAt;

  const hold = (pointed: boolean): void => {
    if (!isHeld) {
      setHeld({ kept: take(), touchedAt: now, isPointedAt: pointed });
    } else if (held.touchedAt !== now || held.isPointedAt !== pointed) {
      setHeld({ ...held, touchedAt: now, isPointedAt: pointed });
    }
  };
  const point = ({ pointerType }: PointerEvent): void => {
    hold(rests(pointerType));
  };
  return {
    kept: isHeld ? held.kept : null,
    keep: (kept) => {
      setHeld((last) => last && { ...last, kept });
    },
    showNow: () => {
      setHeld({ kept: take(), touchedAt: now, isPointedAt });
    },
    handlers: {
      onPointerEnter: point,
      onPointerDown: point,
      onPointerMove: point,
      onPointerLeave: ({ pointerType }) => {
        if (rests(pointerType)) {
          setHeld(null);
        }
      },
      onFocus: () => {
        hold(isPointedAt);
      },
      onKeyDown: () => {
        hold(isPointedAt);
      },
      onBlur: ({ relatedTarget, currentTarget }) => {
        if (!isPointedAt && !(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) {
          setHeld(null);
        }
      },
    },
  };
}

/**
 * Returns whether a pointer stays where it is. A finger leaves with each touch, before the click: what moved then would
 * be under the finger.
 */
function rests(pointerType: string): boolean {
  return pointerType !== 'touch';
}
