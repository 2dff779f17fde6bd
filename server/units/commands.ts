import { auditDone } from '../audit';
import { hold } from '../db/hold';
import { isTaken } from '../db/isTaken';
import { notFound, HttpError } from '../http/httpError';
import type { Sessions } from '../session/sessions';
import type { Writer } from '../patients/writerOf';
import type { UnitRow } from '../db/rows';
import { changeUnit, lockUnit, openUnit } from './ensureUnit';
import { requireUnit } from './queries';

const unitExists = (id?: number): HttpError =>
  new HttpError(409, 'unit_exists', 'This site has a unit of that name.', {
    id,
    fields: { name: 'is the name of another unit' },
  });

/**
 * Adds an empty unit, or takes the retired one of this name into use again, and returns it. Rejects with 409
 * `unit_exists` and the other's id.
 */
export async function createUnit({ store, liveState, now, actor, scope }: Writer, name: string): Promise<UnitRow> {
  const { siteId } = scope;
  const taken = liveState.unitByName(siteId, name);
  if (taken !== null) {
    throw unitExists(taken.id);
  }
  const row = await store.db.transaction().execute(async (transaction) => {
    const made = await openUnit(transaction, now, siteId, name);
    if (made === null) {
      throw unitExists();
    }
    await auditDone(transaction, now, actor, 'create_unit', ['unit', made.id]);
    return made;
  });
  liveState.putUnit(row);
  return row;
}

/**
 * Renames a unit and returns it. Its patients and users refer to it by its id. The versions of all its patients go up,
 * so that a form that was opened under the old name is refused. Writes nothing if the unit has this name already.
 * Rejects with 404 if the unit is not of the site, and with 409 `unit_exists`.
 */
export async function renameUnit(
  { store, liveState, now, actor, scope }: Writer,
  sessions: Pick<Sessions, 'reload'>,
  id: number,
  name: string,
): Promise<UnitRow> {
  const { siteId } = scope;
  requireUnit(liveState, scope, id);
  const taken = liveState.unitByName(siteId, name);
  if (taken !== null && taken.id !== id) {
    throw unitExists(taken.id);
  }
  const renaming = store.db.transaction().execute(async (transaction) => {
    // First the site, as in every change of a name: two transactions must not wait for each other.
    await hold(transaction, 'sites', siteId);
    const before = await lockUnit(transaction, id);
    if (before === null) {
      throw notFound();
    }
    if (before.name === name) {
      return { row: before, patients: [], members: [] };
    }
    const renamed = await changeUnit(transaction, id, { name });
    const inUnit = await transaction
      .updateTable('patients')
      .set((update) => ({ updated_at: now, version: update('version', '+', 1) }))
      .where('unit_id', '=', id)
      .returningAll()
      .execute();
    const people = await transaction.selectFrom('user_units').select('user_id').where('unit_id', '=', id).execute();
    await auditDone(transaction, now, actor, 'rename_unit', ['unit', id]);
    return { row: renamed, patients: inUnit, members: people };
  });
  const { row, patients, members } = await renaming.catch((error: unknown) => {
    throw isTaken(error) ? unitExists() : error;
  });
  liveState.putUnit(row);
  for (const patient of patients) {
    liveState.putPatient(patient);
  }
  await sessions.reload(members.map(({ user_id }) => user_id));
  return row;
}

/**
 * Retires a unit that has no active patients and no users, and deletes its assignments. Discharged patients still refer
 * to it. Rejects with 404 if the unit is not of the site, with 409 `unit_not_empty`, and with 409 `unit_alarmed` while
 * an S1 report alarms it: the alert would be left with no one to answer it.
 */
export async function deleteUnit({ store, liveState, now, actor, scope }: Writer, id: number): Promise<void> {
  requireUnit(liveState, scope, id);
  const row = await store.db.transaction().execute(async (transaction) => {
    if ((await lockUnit(transaction, id)) === null) {
      throw notFound();
    }
    const patient = await transaction
      .selectFrom('patients')
      .select('id')
      .where('unit_id', '=', id)
      .where('state', '=', 'active')
      .limit(1)
      .executeTakeFirst();
    const member = await transaction
      .selectFrom('user_units')
      .select('user_id')
      .where('unit_id', '=', id)
      .limit(1)
      .executeTakeFirst();
    if (patient !== undefined || member !== undefined) {
      throw new HttpError(409, 'unit_not_empty', 'Patients are in this unit or people belong to it. Move them first.');
    }
    const alarm = await transaction
      .selectFrom('issue_reports')
      .select('id')
      .where('site_id', '=', scope.siteId)
      .where('unit_id', '=', id)
      .where('alarm_at', 'is not', null)
      .where('alarm_ended_at', 'is', null)
      .limit(1)
      .executeTakeFirst();
    if (alarm !== undefined) {
      throw new HttpError(409, 'unit_alarmed', 'An S1 report alarms this unit. Resolve its alert first.');
    }
    await transaction.deleteFrom('assignments').where('unit_id', '=', id).execute();
    await auditDone(transaction, now, actor, 'delete_unit', ['unit', id]);
    return await changeUnit(transaction, id, { retired_at: now });
  });
  liveState.putUnit(row);
}
