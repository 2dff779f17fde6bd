import { useFrozenValue } from '../../hooks/useFrozenValue';
import { arrangementOf, countMoves, keepArrangement } from '../../lib/patients/arrangement';
import type { ReportingGroups } from '../../lib/patients/groupByReporting';

export interface HeldGroups {
  shown: ReportingGroups;
  /** What would move if the list were released; null while it is not held. */
  moves: { toOtherGroup: number; inGroup: number } | null;
}

/** Keeps every patient in place while the lists of the screen hold still (`useFreeze`). Values stay new. */
export function useHeldGroups(groups: ReportingGroups, frozen: number | null): HeldGroups {
  const before = useFrozenValue(groups, frozen);
  if (frozen === null) {
    return { shown: groups, moves: null };
  }
  const arrangement = arrangementOf(before);
  return { shown: keepArrangement(groups, arrangement), moves: countMoves(groups, arrangement) };
}
