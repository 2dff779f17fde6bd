import { useState } from 'react';
import { arrangementOf, countMoves, keepArrangement, type Arrangement } from '../../lib/patients/arrangement';
import type { ReportingGroups } from '../../lib/patients/groupByReporting';

export interface HeldGroups {
  shown: ReportingGroups;
  /** What would move if the list were released; null while it is not held. */
  moves: { toOtherGroup: number; inGroup: number } | null;
}

/** Keeps every patient in place while the lists of the screen hold still (`useFreeze`). Values stay new. */
export function useHeldGroups(groups: ReportingGroups, frozen: number | null): HeldGroups {
  const [kept, setKept] = useState<{ frozen: number; arrangement: Arrangement } | null>(null);
  if (frozen === null) {
    return { shown: groups, moves: null };
  }
  const arrangement = kept?.frozen === frozen ? kept.arrangement : arrangementOf(groups);
  if (kept?.frozen !== frozen) {
    setKept({ frozen, arrangement });
  }
  return { shown: keepArrangement(groups, arrangement), moves: countMoves(groups, arrangement) };
}
