import { reportingStates, type ReportingGroups, type ReportingState } from './groupByReporting';
import type { Patient } from './schema';

/** The group and the place of each patient, without their values: kept while a list must not move. */
export type Arrangement = ReadonlyMap<number, { state: ReportingState; place: number }>;

/** Returns the arrangement of the groups. */
export function arrangementOf(groups: ReportingGroups): Arrangement {
  return new Map(
    reportingStates.flatMap((state) => groups[state].map(({ id }, place) => [id, { state, place }] as const)),
  );
}

/**
 * Returns the patients of `groups`, with their newest values, in the places of a kept arrangement. New patients are at
 * the end of their own group, so that no one is missing; patients who left are gone.
 */
export function keepArrangement(groups: ReportingGroups, kept: Arrangement): ReportingGroups {
  const arranged: Record<ReportingState, Patient[]> = { noSignal: [], silent: [], never: [], reporting: [] };
  for (const state of reportingStates) {
    for (const patient of groups[state]) {
      arranged[kept.get(patient.id)?.state ?? state].push(patient);
    }
  }
  const placeOf = ({ id }: Patient): number => kept.get(id)?.place ?? Number.MAX_SAFE_INTEGER;
  for (const state of reportingStates) {
    arranged[state].sort((a, b) => placeOf(a) - placeOf(b));
  }
  return arranged;
}

/**
 * Returns how many patients have another group, and how many another place in their own group, than in a kept
 * arrangement.
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
