import { arrangementOf, countMoves, keepArrangement } from '../../lib/patients/arrangement';
import type { ReportingGroups } from '../../lib/patients/groupByReporting';
import { heldForMs, useHold, type Hold } from '../ui/useHold';

export interface HeldGroups extends Pick<Hold<unknown>, 'showNow' | 'handlers'> {
  shown: ReportingGroups;
  /** What would move if the list were released; null while it is not held. */
  moves: { toOtherGroup: number; inGroup: number } | null;
}

/** Keeps every patient in place while a user points at the list or is in it with the keyboard. Values stay new. */
export function useHeldGroups(groups: ReportingGroups, now: number): HeldGroups {
  const { kept, showNow, handlers } = useHold(() => arrangementOf(groups), now, heldForMs);
  return {
    shown: kept === null ? groups : keepArrangement(groups, kept),
    moves: kept === null ? null : countMoves(groups, kept),
    showNow,
    handlers,
  };
}
