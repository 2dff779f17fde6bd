import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { AlertItem, AlertsPage } from '../../lib/alerts/schema';

export interface SlotAlert {
  /** The alert above the list; null: there is nothing new. */
  shown: AlertItem | null;
  isClosed: boolean;
  /** How many other alerts are new. */
  more: number;
  /** For the slot: what is under the pointer or has the keyboard stays there. */
  handlers: {
    onPointerMove: () => void;
    onPointerLeave: () => void;
    onFocus: () => void;
    onBlur: (event: { relatedTarget: EventTarget | null; currentTarget: Element }) => void;
  };
  /** Goes on to the most urgent one although a user may be in the slot. */
  release: () => void;
}

/**
 * Chooses the new alert that the slot above a list shows: the most urgent one, and as long as a user is in the slot the
 * one that was there, also once it is acknowledged or closed. Another freeze (`useFreeze`) begins without it.
 */
export function useSlotAlert(
  news: readonly AlertItem[],
  page: AlertsPage | undefined,
  frozen: number | null,
): SlotAlert {
  const [last, setLast] = useState<{ frozen: number | null; alert: AlertItem } | null>(null);
  const inside = useRef({ pointer: false, focus: false });
  const kept = last !== null && last.frozen === frozen ? last.alert : null;
  const now = kept === null ? null : (page?.items.find(({ id }) => id === kept.id) ?? null);
  const shown = kept === null ? (news[0] ?? null) : (now ?? kept);
  if (last !== null && kept === null) {
    setLast(null);
  } else if (now !== null && now !== kept) {
    // The last facts of an alert that closes.
    setLast({ frozen, alert: now });
  }
  const isEmpty = shown === null;
  useLayoutEffect(() => {
    if (isEmpty) {
      // An element that goes reports neither that the pointer has left it nor the keyboard.
      inside.current = { pointer: false, focus: false };
    }
  }, [isEmpty]);
  const keep = (): void => {
    if (kept === null && shown !== null) {
      setLast({ frozen, alert: shown });
    }
  };
  const leave = (): void => {
    if (!inside.current.pointer && !inside.current.focus) {
      setLast(null);
    }
  };
  const release = useCallback(() => {
    inside.current = { pointer: false, focus: false };
    setLast(null);
  }, []);
  return {
    shown,
    release,
    isClosed: kept !== null && now === null && page !== undefined && page.items.length === page.total,
    more: news.filter(({ id }) => id !== shown?.id).length,
    handlers: {
      onPointerMove: () => {
        inside.current.pointer = true;
        keep();
      },
      onPointerLeave: () => {
        inside.current.pointer = false;
        leave();
      },
      onFocus: () => {
        inside.current.focus = true;
        keep();
      },
      onBlur: ({ relatedTarget, currentTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) {
          inside.current.focus = false;
          leave();
        }
      },
    },
  };
}
