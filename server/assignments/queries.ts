import { canHold, rolesFor } from '../../lib/assignments/canHold';
import { holders } from '../../lib/assignments/holders';
import type { AssignmentRole } from '../../lib/assignments/roles';
import type { AssignmentsResponse, Holder, WhichShift } from '../../lib/assignments/schema';
import type { User } from '../../lib/session/schema';
import { toInstant } from '../../lib/time/schema';
import type { Store } from '../db/open';
import { compareText, firstDifference } from '../../lib/sortOrder';
import type { EpochMs } from '../../lib/time/epochMs';
import type { LiveState } from '../liveState';
import type { UnitRow } from '../db/rows';
import { shiftOf } from './shiftOf';

/** Returns the roles that this user holds in the current shift. A user who moved to another unit holds none here. */
function rolesOf(liveState: LiveState, user: User, now: EpochMs) {
  const { start } = shiftOf(user.site, 'current', now);
  return [...liveState.units.values()]
    .filter((unit) => unit.site_id === user.siteId)
    .flatMap(({ id: unitId }) =>
      holders(liveState.assignmentsOf(unitId), start)
        .filter(({ userId, role }) => userId === user.id && canHold(role, user, unitId))
        .map(({ role, patientId }) => ({ role, patientId, unitId })),
    );
}

/** Returns the ids of the patients whose nurse or buddy this user is in the current shift. */
export function mineOf(liveState: LiveState, user: User, now: EpochMs): number[] {
  const mine = rolesOf(liveState, user, now).flatMap(({ patientId, unitId }) =>
    patientId !== null && liveState.patients.get(patientId)?.unit_id === unitId ? [patientId] : [],
  );
  return [...new Set(mine)].sort((a, b) => a - b);
}

/** Returns whether this user is the charge nurse of a unit now. */
export function isInCharge(liveState: LiveState, user: User, unit: number | null, now: EpochMs): boolean {
  return rolesOf(liveState, user, now).some(({ role, unitId }) => role === 'charge_nurse' && unitId === unit);
}

/** Returns who holds which role in a unit during the current or the next shift, and who could. */
export async function readAssignments(
  store: Store,
  liveState: LiveState,
  now: EpochMs,
  site: User['site'],
  unit: UnitRow,
  which: WhichShift,
): Promise<AssignmentsResponse> {
  const shift = shiftOf(site, which, now);
  const held = holders(liveState.assignmentsOf(unit.id), shift.start);
  const people = await readPeople(store, unit.site_id);

  const present = (role: AssignmentRole, patientId: number | null): Holder | null => {
    const row = held.find((one) => one.role === role && one.patientId === patientId);
    if (row === undefined) {
      return null;
    }
    const person = row.userId === null ? undefined : people.get(row.userId);
    const isHere = person?.isActive === true && canHold(role, person, unit.id);
    return {
      userId: isHere ? person.id : null,
      name: isHere ? person.name : null,
      formerName: isHere ? null : (person?.name ?? null),
      since: toInstant(row.shiftStart),
      isCarriedOver: row.shiftStart < shift.start,
      version: row.version,
    };
  };

  const patients = [...liveState.patients.values()]
    .filter((row) => row.unit_id === unit.id && row.state === 'active')
    .sort((a, b) => firstDifference(compareText(a.bed ?? '', b.bed ?? ''), a.id - b.id));
  return {
    unit: { id: unit.id, name: unit.name },
    shift: { which, start: toInstant(shift.start), end: toInstant(shift.end) },
    patients: patients.map((row) => ({
      id: row.id,
      mrn: row.mrn,
      givenName: row.given_name,
      familyName: row.family_name,
      isTrial: row.is_trial === 1,
      dateOfBirth: row.date_of_birth,
      bed: row.bed,
      holders: { nurse: present('nurse', row.id), buddy: present('buddy', row.id) },
    })),
    roles: {
      charge_nurse: present('charge_nurse', null),
      duty_clinician: present('duty_clinician', null),
      ward_lead: present('ward_lead', null),
      on_call_physician: present('on_call_physician', null),
    },
    staff: [...people.values()]
      .filter(({ isActive }) => isActive)
      .map((person) => ({ id: person.id, name: person.name, type: person.type, roles: rolesFor(person, unit.id) }))
      .filter(({ roles }) => roles.length > 0)
      .sort((a, b) => firstDifference(compareText(a.name, b.name), a.id - b.id)),
  };
}

export interface Person extends Pick<User, 'id' | 'type' | 'isAdmin' | 'email' | 'siteId'> {
  name: string;
  image: string | null;
  units: { id: number }[];
  /** False if the user is disabled or waits for approval or confirmation. */
  isActive: boolean;
}

/** Returns all users of a site, including disabled ones, because an assignment may still name them. */
export async function readPeople(store: Store, siteId: number): Promise<Map<number, Person>> {
  const rows = await store.db
    .selectFrom('users')
    .select(['id', 'fname', 'lname', 'email', 'user_image', 'type', 'is_admin'])
    .select(['disabled_at', 'waiting_since', 'unconfirmed_since'])
    .where('site_id', '=', siteId)
    .execute();
  const memberships = await store.db
    .selectFrom('user_units')
    .innerJoin('users', 'users.id', 'user_units.user_id')
    .select(['user_units.user_id', 'user_units.unit_id'])
    .where('users.site_id', '=', siteId)
    .execute();
  const people = new Map<number, Person>();
  for (const row of rows) {
    const isActive = row.disabled_at === null && row.waiting_since === null && row.unconfirmed_since === null;
    const { id, email, type, user_image: image } = row;
    const name = `${row.fname} ${row.lname}`;
    people.set(id, { id, siteId, name, email, image, type, isAdmin: row.is_admin === 1, units: [], isActive });
  }
  for (const { user_id, unit_id } of memberships) {
    people.get(user_id)?.units.push({ id: unit_id });
  }
  return people;
}
