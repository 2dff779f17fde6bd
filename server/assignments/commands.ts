import { sql, type Kysely } from 'kysely';
import { canHold } from '../../lib/assignments/canHold';
import type { AssignmentRole } from '../../lib/assignments/roles';
import type { AssignmentBody } from '../../lib/assignments/schema';
import type { User } from '../../lib/session/schema';
import { parseInstant } from '../../lib/time/parseInstant';
import { audit } from '../audit';
import type { Actor } from '../audit/actor';
import { hold } from '../db/hold';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import { notFound, HttpError } from '../http/httpError';
import { readUsers } from '../session/users';
import type { LiveState } from '../liveState';
import type { UnitRow } from '../db/rows';
import { shiftOf } from './shiftOf';

/**
 * Says who holds a role in a unit from the current or the next shift on. Refuses with 404 a patient who is not of the
 * site, with 409 `patient_moved` one who is not in the unit, with 409 `shift_changed` a shift that is another one by
 * now, with 409 `changed_meanwhile` another version of what holds there, unless it says the same already, with 422
 * `cannot_hold` a person who cannot. The caller has made sure of the unit. `now` is epoch milliseconds.
 */
export async function assign(
  store: Store,
  liveState: LiveState,
  now: number,
  actor: Actor,
  by: User,
  unit: UnitRow,
  { shift: which, shiftStart, role, patientId, userId, version: seen }: AssignmentBody,
): Promise<void> {
  const { start } = shiftOf(by.site, which, now);
  if (shiftStart !== undefined && parseInstant(shiftStart) !== start) {
    throw new HttpError(409, 'shift_changed', 'Another shift has begun meanwhile. Look at it again, then repeat.');
  }
  if (patientId !== null) {
    requirePatient(liveState, unit, patientId);
  }
  const version = await store.db.transaction().execute(async (transaction) => {
    // Of two who change the same place one comes first, and the other hears of it.
    await hold(transaction, 'units', unit.id);
    const held = await heldIn(transaction, unit.id, role, patientId, start);
    if ((held?.version ?? 0) !== seen) {
      if (held?.shift_start === start && held.user_id === userId) {
        // Said already: by somebody who wanted the same, or by this caller, who never got the answer.
        return held.version;
      }
      throw new HttpError(
        409,
        'changed_meanwhile',
        'Somebody else changed this in the meantime. Look at it again, then repeat.',
      );
    }
    const person = userId === null ? null : (await readUsers(transaction, now, [userId])).get(userId);
    if (person !== null && (person?.siteId !== unit.site_id || !canHold(role, person, unit.id))) {
      throw new HttpError(422, 'cannot_hold', 'This person cannot be assigned to that.', {
        fields: { userId: 'cannot hold this role here' },
      });
    }
    const written = await writeAssignment(transaction, {
      unit,
      role,
      patientId,
      userId,
      shiftStart: start,
      now,
      by: by.id,
    });
    await audit(transaction, now, actor, {
      action: 'assign',
      outcome: 'done',
      ...(patientId === null
        ? { objectType: 'unit', objectId: unit.id }
        : { objectType: 'patient', objectId: patientId }),
      details: { role, unitId: unit.id, shiftStart: start, ...(userId === null ? { nobody: true } : { userId }) },
    });
    return written;
  });
  liveState.putAssignment(unit, { role, patientId, shiftStart: start, userId, version }, now);
}

/** Everything that was ever said for one place. */
function ofPlace(transaction: Kysely<Database>, unitId: number, role: AssignmentRole, patientId: number | null) {
  return transaction
    .selectFrom('assignments')
    .where('unit_id', '=', unitId)
    .where('role', '=', role)
    .where(sql<number>`coalesce(patient_id, 0)`, '=', patientId ?? 0);
}

/** What holds in a shift, be it carried over; undefined where nothing does. */
async function heldIn(
  transaction: Kysely<Database>,
  unitId: number,
  role: AssignmentRole,
  patientId: number | null,
  shiftStart: number,
) {
  return await ofPlace(transaction, unitId, role, patientId)
    .select(['version', 'shift_start', 'user_id'])
    .where('shift_start', '<=', shiftStart)
    .orderBy('shift_start', 'desc')
    .limit(1)
    .executeTakeFirst();
}

function requirePatient(liveState: LiveState, unit: UnitRow, id: number): void {
  const patient = liveState.patients.get(id);
  if (patient === undefined || patient.site_id !== unit.site_id) {
    throw notFound();
  }
  if (patient.unit !== unit.name || patient.state !== 'active') {
    throw new HttpError(409, 'patient_moved', 'This patient is not in this unit any more.');
  }
}

interface NewAssignment {
  unit: UnitRow;
  role: AssignmentRole;
  patientId: number | null;
  userId: number | null;
  shiftStart: number;
  now: number;
  /** Who says so. */
  by: number;
}

/**
 * Writes one assignment in the place of what was said for the same shift before, and returns its version. The caller
 * tells the ward after the commit.
 */
export async function writeAssignment(
  transaction: Kysely<Database>,
  { unit, role, patientId, userId, shiftStart, now, by }: NewAssignment,
): Promise<number> {
  const { newest } = await ofPlace(transaction, unit.id, role, patientId)
    .select((select) => select.fn.max('version').as('newest'))
    .executeTakeFirstOrThrow();
  const version = Number(newest ?? 0) + 1;
  await transaction
    .insertInto('assignments')
    .values({
      site_id: unit.site_id,
      unit_id: unit.id,
      role,
      patient_id: patientId,
      shift_start: shiftStart,
      user_id: userId,
      set_at: now,
      set_by: by,
      version,
    })
    .onConflict((conflict) =>
      conflict
        .expression(sql`unit_id, role, coalesce(patient_id, 0), shift_start`)
        .doUpdateSet({ user_id: userId, set_at: now, set_by: by, version }),
    )
    .execute();
  return version;
}

/** Reads what the current and later shifts need into the ward. `now` is epoch milliseconds. */
export async function loadAssignments(store: Store, liveState: LiveState, now: number): Promise<void> {
  const rows = await store.db
    .selectFrom('assignments as a')
    .select(['a.unit_id', 'a.role', 'a.patient_id', 'a.shift_start', 'a.user_id', 'a.version'])
    .where((where) =>
      where.or([
        where('a.shift_start', '>', now),
        where(
          'a.shift_start',
          '=',
          where
            .selectFrom('assignments as b')
            .select((select) => select.fn.max('b.shift_start').as('newest'))
            .whereRef('b.unit_id', '=', 'a.unit_id')
            .whereRef('b.role', '=', 'a.role')
            .where(sql<boolean>`coalesce(b.patient_id, 0) = coalesce(a.patient_id, 0)`)
            .where('b.shift_start', '<=', now),
        ),
      ]),
    )
    .execute();
  for (const row of rows) {
    const unit = liveState.units.get(row.unit_id);
    if (unit !== undefined) {
      const { role, patient_id: patientId, shift_start: shiftStart, user_id: userId, version } = row;
      liveState.putAssignment(unit, { role, patientId, shiftStart, userId, version }, now);
    }
  }
}
