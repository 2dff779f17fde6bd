import { sql, type Kysely } from 'kysely';
import { canHold } from '../../lib/assignments/canHold';
import type { AssignmentRole } from '../../lib/assignments/roles';
import type { AssignmentBody } from '../../lib/assignments/schema';
import { parseInstant } from '../../lib/time/parseInstant';
import type { EpochMs } from '../../lib/time/epochMs';
import { auditDone } from '../audit';
import { hold } from '../db/hold';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import { notFound, HttpError } from '../http/httpError';
import type { Writer } from '../patients/writerOf';
import { readUsers } from '../session/users';
import type { LiveState } from '../liveState';
import type { UnitRow } from '../db/rows';
import { shiftOf } from './shiftOf';

/**
 * Assigns a role in a unit from the current or the next shift on. Rejects with 404 if the patient is not of the site,
 * 409 `patient_moved` if they are not in the unit, 409 `shift_changed` if the shift has changed, 409
 * `changed_meanwhile` if the version is another one (unless the assignment is already the same), and 422 `cannot_hold`
 * if the user cannot hold the role. The caller has checked the unit.
 */
export async function assign(
  { store, liveState, now, actor, user }: Writer,
  unit: UnitRow,
  { shift: which, shiftStart, role, patientId, userId, version: seen }: AssignmentBody,
): Promise<void> {
  const { start } = shiftOf(user.site, which, now);
  if (shiftStart !== undefined && parseInstant(shiftStart) !== start) {
    throw new HttpError(409, 'shift_changed', 'Another shift has begun meanwhile. Look at it again, then repeat.');
  }
  if (patientId !== null) {
    requirePatient(liveState, unit, patientId);
  }
  const version = await store.db.transaction().execute(async (transaction) => {
    // Two concurrent changes run one after the other, so that the second is refused.
    await hold(transaction, 'units', unit.id);
    const held = await heldIn(transaction, unit.id, role, patientId, start);
    if ((held?.version ?? 0) !== seen) {
      if (held?.shift_start === start && held.user_id === userId) {
        // Already assigned: by another user who wanted the same, or by this caller, who lost the response.
        return held.version;
      }
      throw new HttpError(
        409,
        'changed_meanwhile',
        'Another user has changed this in the meantime. Look at it again, then repeat.',
      );
    }
    const person = userId === null ? null : (await readUsers(transaction, now, [userId])).get(userId);
    if (person !== null && (person?.siteId !== unit.site_id || !canHold(role, person, unit.id))) {
      throw new HttpError(422, 'cannot_hold', 'This person cannot be assigned to that.', {
        fields: { userId: 'cannot hold this role here' },
      });
    }
    const made = { unit, role, patientId, userId, shiftStart: start, now, by: user.id };
    const written = await writeAssignment(transaction, made);
    const about = patientId === null ? (['unit', unit.id] as const) : (['patient', patientId] as const);
    await auditDone(transaction, now, actor, 'assign', about, {
      ...{ role, unitId: unit.id, shiftStart: start },
      ...(userId === null ? { nobody: true } : { userId }),
    });
    return written;
  });
  liveState.putAssignment(unit, { role, patientId, shiftStart: start, userId, version }, now);
}

/** Returns the query of all assignments of one role (of one patient), over all shifts. */
function ofPlace(transaction: Kysely<Database>, unitId: number, role: AssignmentRole, patientId: number | null) {
  return transaction
    .selectFrom('assignments')
    .where('unit_id', '=', unitId)
    .where('role', '=', role)
    .where(sql<number>`coalesce(patient_id, 0)`, '=', patientId ?? 0);
}

/** Returns the assignment that holds in a shift, set for it or carried over, or undefined. */
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
  if (patient.unit_id !== unit.id || patient.state !== 'active') {
    throw new HttpError(409, 'patient_moved', 'This patient is not in this unit any more.');
  }
}

interface NewAssignment {
  unit: UnitRow;
  role: AssignmentRole;
  patientId: number | null;
  userId: number | null;
  shiftStart: number;
  now: EpochMs;
  /** The user who assigns. */
  by: number;
}

/**
 * Writes one assignment, replaces an earlier one for the same shift, and returns its version. The caller updates the
 * live state after the commit.
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

/** Reads the assignments of the current and later shifts into the live state. */
export async function loadAssignments(store: Store, liveState: LiveState, now: EpochMs): Promise<void> {
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
