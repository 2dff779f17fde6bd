import { useEffect, useMemo, useRef, useState, type DOMAttributes, type PointerEvent } from 'react';

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
    [Name in `onPointer${'Enter' | 'Down' | 'Move' | 'Leave'}` | 'onFocus' | 'onKeyDown' | 'onBlur']: NonNullable<
      DOMAttributes<Element>[Name]
    >;
  };
}

/**
 * Freezes lists from the moment in which a user points at them or enters them with the keyboard, until both have left,
 * or for two minutes without an event of either: a screen that is left alone must show what is new (screens.md,
 * section 2).
 */
export function useFreeze(): Freeze {
  const [{ id, isFrozen }, setState] = useState({ id: 0, isFrozen: false });
  const timer = useRef<ReturnType<typeof setInterval>>(undefined);
  useEffect(
    () => () => {
      clearInterval(timer.current);
    },
    [],
  );
  const [actions] = useState(() => {
    const inside = { pointer: false, focus: false, touched: false };
    const thaw = (): void => {
      clearInterval(timer.current);
      setState((last) => (last.isFrozen ? { ...last, isFrozen: false } : last));
    };
    const freeze = (list: Element, by: Partial<typeof inside>): void => {
      const since = performance.now();
      Object.assign(inside, by);
      clearInterval(timer.current);
      timer.current = setInterval(() => {
        // What has the focus may go, for example an Undo: React tells no blur then.
        inside.focus &&= list.contains(document.activeElement);
        const forMs = inside.pointer || inside.focus ? frozenForMs : inside.touched ? touchedForMs : 0;
        if (performance.now() - since >= forMs) {
          thaw();
        }
      }, 1_000);
      setState((last) => (last.isFrozen ? last : { id: last.id + 1, isFrozen: true }));
    };
    const point = ({ pointerType, currentTarget }: PointerEvent): void => {
      freeze(currentTarget, pointerType === 'touch' ? { touched: true } : { touched: false, pointer: true });
    };
    const enter = ({ currentTarget }: { currentTarget: Element }): void => {
      freeze(currentTarget, { focus: true });
    };
    const leave = (which: 'pointer' | 'focus'): void => {
      inside[which] = false;
      if (!inside.pointer && !inside.focus) {
        thaw();
      }
    };
    const handlers: Freeze['handlers'] = {
      onPointerEnter: point,
      onPointerDown: point,
      onPointerMove: point,
      onPointerLeave: ({ pointerType }) => {
        if (pointerType !== 'touch') {
          leave('pointer');
        }
      },
      onFocus: enter,
      onKeyDown: enter,
      onBlur: ({ relatedTarget, currentTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) {
          leave('focus');
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
