import type { UserType } from '../session/userTypes';
import { patientRoles, unitRoles, type AssignmentRole } from './roles';

const nursing: readonly UserType[] = ['nurse', 'respiratory_therapist', 'ward_lead'];
const fitting: Readonly<Record<AssignmentRole, readonly UserType[]>> = {
  nurse: nursing,
  buddy: nursing,
  charge_nurse: ['nurse', 'ward_lead'],
  ward_lead: ['nurse', 'ward_lead'],
  duty_clinician: ['physician'],
  on_call_physician: ['physician'],
};

/**
 * Returns whether a user of a type may have a role in a unit: they belong to it, or to no unit and so to the whole
 * site.
 */
export function canHold(
  role: AssignmentRole,
  person: { type: UserType; units: readonly { id: number }[] },
  unitId: number,
): boolean {
  return (
    fitting[role].includes(person.type) && (person.units.length === 0 || person.units.some(({ id }) => id === unitId))
  );
}

/** Returns every role that a user may have in a unit. */
export function rolesFor(
  person: { type: UserType; units: readonly { id: number }[] },
  unitId: number,
): AssignmentRole[] {
  return [...patientRoles, ...unitRoles].filter((role) => canHold(role, person, unitId));
}
