import { useState } from 'react';
import { arrangementOf, countMoves, keepArrangement, type Arrangement } from '../../lib/patients/arrangement';
import type { ReportingGroups } from '../../lib/patients/groupByReporting';

/** A pointer that lies still this long was left there: on an unattended screen the order must not stand for hours. */
export const heldForMs = 20_000;

export interface HeldGroups {
  shown: ReportingGroups;
  /** What would move if the list were let go; null while it is not held. */
  moves: { toOtherGroup: number; inGroup: number } | null;
  /** Shows the order of now and goes on holding that. */
  showNow: () => void;
  /** For the element that must not move under the pointer or the keyboard. */
  handlers: {
    onPointerMove: () => void;
    onPointerLeave: () => void;
    onFocus: () => void;
    onKeyDown: () => void;
    onBlur: (event: { relatedTarget: EventTarget | null; currentTarget: Element }) => void;
  };
}

/**
 * Keeps every patient in place while somebody points at the list or is in it with the keyboard; the values stay new.
 */
export function useHeldGroups(groups: ReportingGroups, now: number): HeldGroups {
  const [held, setHeld] = useState<{ kept: Arrangement; touchedAt: number } | null>(null);
  const isHeld = held !== null && now - held.touchedAt <= heldForMs;

  const showNow = (): void => {
    setHeld({ kept: arrangementOf(groups), touchedAt: now });
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
    shown: isHeld ? keepArrangement(groups, held.kept) : groups,
    moves: isHeld ? countMoves(groups, held.kept) : null,
    showNow,
    handlers: {
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
