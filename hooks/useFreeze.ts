import { useEffect, useMemo, useRef, useState, type PointerEvent } from 'react';

/** How long a list holds still under a pointer or with the keyboard in it, without an event of either. */
export const frozenForMs = 120_000;
/** The same after the last touch of a screen: a finger leaves with each touch, before the click. */
export const touchedForMs = 20_000;

export interface Freeze {
  /** A number for as long as the freeze lasts, another one in each freeze; null: lists may move. */
  frozen: number | null;
  /** Ends the freeze and begins another one, so that the lists show what is new and then hold still again. */
  renew: () => void;
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
 * Freezes lists from the moment in which a user points at them or enters them with the keyboard, until both have left,
 * or for two minutes without an event of either: a screen that is left alone must show what is new (screens.md,
 * section 2).
 */
export function useFreeze(): Freeze {
  const [{ id, isFrozen }, setState] = useState({ id: 0, isFrozen: false });
  const inside = useRef({ pointer: false, focus: false });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
    },
    [],
  );
  const [actions] = useState(() => {
    const thaw = (): void => {
      clearTimeout(timer.current);
      setState((last) => (last.isFrozen ? { ...last, isFrozen: false } : last));
    };
    const freeze = (forMs: number): void => {
      clearTimeout(timer.current);
      timer.current = setTimeout(thaw, forMs);
      setState((last) => (last.isFrozen ? last : { id: last.id + 1, isFrozen: true }));
    };
    const point = ({ pointerType }: PointerEvent): void => {
      const rests = pointerType !== 'touch';
      inside.current.pointer ||= rests;
      freeze(inside.current.pointer || inside.current.focus ? frozenForMs : touchedForMs);
    };
    const enter = (): void => {
      inside.current.focus = true;
      freeze(frozenForMs);
    };
    const handlers: Freeze['handlers'] = {
      onPointerEnter: point,
      onPointerDown: point,
      onPointerMove: point,
      onPointerLeave: ({ pointerType, currentTarget }) => {
        if (pointerType !== 'touch') {
          inside.current.pointer = false;
          // What had the focus may be gone, for example an Undo: then there was no event.
          inside.current.focus &&= currentTarget.contains(document.activeElement);
          if (!inside.current.focus) {
            thaw();
          }
        }
      },
      onFocus: enter,
      onKeyDown: enter,
      onBlur: ({ relatedTarget, currentTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) {
          inside.current.focus = false;
          if (!inside.current.pointer) {
            thaw();
          }
        }
      },
    };
    const renew = (): void => {
      setState((last) => ({ id: last.id + 1, isFrozen: last.isFrozen }));
    };
    return { handlers, renew };
  });
  return useMemo(() => ({ frozen: isFrozen ? id : null, ...actions }), [id, isFrozen, actions]);
}
