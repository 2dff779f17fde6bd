import { useState } from 'react';

/** A pointer that rests this long was left there: an unattended screen must not keep an old order for hours. */
export const heldForMs = 20_000;

export interface Hold<Kept> {
  /** What was kept when the hold began; null while nothing is held. */
  kept: Kept | null;
  /** Keeps what is there now instead, and holds on. */
  showNow: () => void;
  /** For the element in which nothing may move under the pointer or the keyboard. */
  handlers: {
    onPointerDown: () => void;
    onPointerMove: () => void;
    onPointerLeave: () => void;
    onFocus: () => void;
    onKeyDown: () => void;
    onBlur: (event: { relatedTarget: EventTarget | null; currentTarget: Element }) => void;
  };
}

/**
 * Keeps what `take` returns from the moment in which a user points at an element or enters it with the keyboard until
 * they leave it. `now` in epoch milliseconds.
 */
export function useHold<Kept>(take: () => Kept, now: number): Hold<Kept> {
  const [held, setHeld] = useState<{ kept: Kept; touchedAt: number } | null>(null);
  const isHeld = held !== null && now - held.touchedAt <= heldForMs;

  const showNow = (): void => {
    setHeld({ kept: take(), touchedAt: now });
  };
  const touch = (): void => {
    if (!isHeld) {
      showNow();
    } else if (held.touchedAt !== now) {
      setHeld({ ...held, touchedAt: now });
    }
  };
  const letGo = (): void => {
    setHeld(null);
  };
  return {
    kept: isHeld ? held.kept : null,
    showNow,
    handlers: {
      onPointerDown: touch,
      onPointerMove: touch,
      onPointerLeave: letGo,
      onFocus: touch,
      onKeyDown: touch,
      onBlur: ({ relatedTarget, currentTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) {
          letGo();
        }
      },
    },
  };
}
