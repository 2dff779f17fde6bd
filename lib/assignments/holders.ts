import type { AssignmentRole } from './roles';

/** Who holds a role from a shift on. A null user means that no one holds it. Times are epoch milliseconds. */
export interface Assignment {
  role: AssignmentRole;
  /** Set for the roles that belong to one patient. */
  patientId: number | null;
  shiftStart: number;
  userId: number | null;
}

/**
 * Takes the assignments of a unit, in any order, and returns those that apply in the shift that begins at `shiftStart`:
 * an assignment is carried over until a later shift changes it. Each role, and each patient's, appears at most once.
 */
export function holders<Row extends Assignment>(rows: readonly Row[], shiftStart: number): Row[] {
  const newest = new Map<string, Row>();
  for (const row of rows) {
    const key = placeOf(row);
    const known = newest.get(key);
    if (row.shiftStart <= shiftStart && (known === undefined || row.shiftStart > known.shiftStart)) {
      newest.set(key, row);
    }
  }
  return [...newest.values()];
}

/** Returns what an assignment is about, as a text: a role of the unit, or of one patient. */
export function placeOf({ role, patientId }: Pick<Assignment, 'role' | 'patientId'>): string {
  return `${role} ${patientId ?? ''}`;
}
