import type { AssignmentsAnswer, Holder } from './schema';

/** The version of what stands for a role of the unit, or of one patient; 0 where nobody has ever said anything. */
export function versionOf(
  { roles, patients }: Pick<AssignmentsAnswer, 'roles' | 'patients'>,
  { role, patientId }: { role: string; patientId: number | null },
): number {
  const ofPatient = patients.find(({ id }) => id === patientId)?.holders;
  const places: Readonly<Record<string, Holder | null>> = patientId === null ? roles : (ofPatient ?? {});
  return places[role]?.version ?? 0;
}
