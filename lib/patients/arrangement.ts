import { reportingStates, type ReportingGroups, type ReportingState } from './groupByReporting';
import type { Patient } from './schema';

/** Who stands in which group at which place, without their values: what is kept while a list must not move. */
export type Arrangement = ReadonlyMap<number, { state: ReportingState; place: number }>;

/** Notes who stands where. */
export function arrangementOf(groups: ReportingGroups): Arrangement {
  return new Map(
    reportingStates.flatMap((state) => groups[state].map(({ id }, place) => [id, { state, place }] as const)),
  );
}

/**
 * The patients of `groups`, as new as they are, in the places of a kept arrangement. Who was not there yet stands at
 * the end of the own group, so that nobody is missing; who has left is gone.
 */
export function keepArrangement(groups: ReportingGroups, kept: Arrangement): ReportingGroups {
  const held: Record<ReportingState, Patient[]> = { noSignal: [], silent: [], never: [], reporting: [] };
  for (const state of reportingStates) {
    for (const patient of groups[state]) {
      held[kept.get(patient.id)?.state ?? state].push(patient);
    }
  }
  const placeOf = ({ id }: Patient): number => kept.get(id)?.place ?? Number.MAX_SAFE_INTEGER;
  for (const state of reportingStates) {
    held[state].sort((a, b) => placeOf(a) - placeOf(b));
  }
  return held;
}

/**
 * How many patients stand elsewhere in `groups` than in a kept arrangement, in another group and at another place in
 * their own.
 */
export function countMoves(groups: ReportingGroups, kept: Arrangement): { toOtherGroup: number; inGroup: number } {
  const moves = { toOtherGroup: 0, inGroup: 0 };
  for (const [id, { state, place }] of arrangementOf(groups)) {
    const before = kept.get(id);
    if (before?.state !== state) {
      moves.toOtherGroup += 1;
    } else if (before.place !== place) {
      moves.inGroup += 1;
    }
  }
  return moves;
}
