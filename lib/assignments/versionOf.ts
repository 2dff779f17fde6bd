import type { AssignmentsResponse, Holder } from './schema';

/** Returns the version of the assignment of a role of the unit, or of one patient; 0 if it was never assigned. */
export function versionOf(
  { roles, patients }: Pick<AssignmentsResponse, 'roles' | 'patients'>,
  { role, patientId }: { role: string; patientId: number | null },
): number {
  const ofPatient = patients.find(({ id }) => id === patientId)?.holders;
  const places: Readonly<Record<string, Holder | null>> = patientId === null ? roles : (ofPatient ?? {});
  return places[role]?.version ?? 0;
}
