import { sql, type Kysely } from 'kysely';
import { unitKey } from '../../lib/units/unitKey';
import type { EpochMs } from '../../lib/time/epochMs';
import { audit } from '../audit';
import type { Actor } from '../audit/actor';
import type { Store } from '../db/open';
import { isTaken } from '../db/isTaken';
import type { Database } from '../db/schema';
import { notFound, HttpError } from '../http/httpError';
import type { Sessions } from '../session/sessions';
import type { LiveState } from '../liveState';
import type { UnitRow } from '../db/rows';

const unitExists = (id?: number): HttpError =>
  new HttpError(409, 'unit_exists', 'This site has a unit of that name.', {
    id,
    fields: { name: 'is the name of another unit' },
  });

/**
 * Returns the site's unit of this name, and creates it if there is none. Call it in the transaction that places a
 * patient there: it locks the row, so that no one renames or deletes the unit before the commit.
 */
export async function ensureUnit(
  transaction: Kysely<Database>,
  now: EpochMs,
  siteId: number,
  name: string,
): Promise<UnitRow> {
  const known = await lockByName(transaction, siteId, name);
  if (known !== undefined) {
    return known;
  }
  await insertUnit(transaction, now, siteId, name);
  const made = await lockByName(transaction, siteId, name);
  if (made === undefined) {
    throw new Error('a unit that was just made cannot be read');
  }
  return made;
}

async function lockByName(transaction: Kysely<Database>, siteId: number, name: string): Promise<UnitRow | undefined> {
  const rows = await transaction.selectFrom('units').selectAll().where('site_id', '=', siteId).execute();
  const row = rows.find((one) => unitKey(one.name) === unitKey(name));
  return row === undefined ? undefined : await lock(transaction, row);
}

/** Locks a unit's row and returns its current state. An update that changes nothing locks on both engines. */
async function lock(transaction: Kysely<Database>, { id, created_at }: UnitRow): Promise<UnitRow | undefined> {
  return await transaction
    .updateTable('units')
    .set({ created_at })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

async function insertUnit(
  transaction: Kysely<Database>,
  now: EpochMs,
  siteId: number,
  name: string,
): Promise<UnitRow | undefined> {
  return await transaction
    .insertInto('units')
    .values({ site_id: siteId, name, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/**
 * Adds a row for each unit that an active patient names and that has none. Must run before the live state is loaded.
 */
export async function addMissingUnits(store: Store, now: EpochMs): Promise<void> {
  const named = await store.db
    .selectFrom('patients')
    .select(['site_id', 'unit'])
    .distinct()
    .where('state', '=', 'active')
    .where('unit', 'is not', null)
    .execute();
  const rows = await store.db.selectFrom('units').selectAll().execute();
  const missing = named.filter(
    ({ site_id, unit }) => !rows.some((row) => row.site_id === site_id && row.name === unit),
  );
  for (const { site_id, unit } of missing) {
    await store.db.transaction().execute(async (transaction) => {
      const row = await ensureUnit(transaction, now, site_id, unit ?? '');
      await movePatients(transaction, site_id, unit ?? '', row.name, now);
    });
  }
}

/** Adds an empty unit and returns it. Rejects with 409 `unit_exists` and the other's id. */
export async function createUnit(
  store: Store,
  liveState: LiveState,
  now: EpochMs,
  actor: Actor,
  siteId: number,
  name: string,
): Promise<UnitRow> {
  const taken = liveState.unitByName(siteId, name);
  if (taken !== null) {
    throw unitExists(taken.id);
  }
  const row = await store.db.transaction().execute(async (transaction) => {
    const made = await insertUnit(transaction, now, siteId, name);
    if (made === undefined) {
      throw unitExists();
    }
    await audit(transaction, now, actor, {
      action: 'create_unit',
      outcome: 'done',
      objectType: 'unit',
      objectId: made.id,
    });
    return made;
  });
  liveState.putUnit(row);
  return row;
}

/**
 * Renames a unit, also for its patients and users, and returns it. Rejects with 404 if the unit is not of the site, and
 * with 409 `unit_exists`.
 */
export async function renameUnit(
  { store, liveState, sessions }: { store: Store; liveState: LiveState; sessions: Pick<Sessions, 'reload'> },
  now: EpochMs,
  actor: Actor,
  siteId: number,
  id: number,
  name: string,
): Promise<UnitRow> {
  const known = requireUnit(liveState, siteId, id);
  const taken = liveState.unitByName(siteId, name);
  if (taken !== null && taken.id !== id) {
    throw unitExists(taken.id);
  }
  const renaming = store.db.transaction().execute(async (transaction) => {
    const before = await lock(transaction, known);
    if (before === undefined) {
      throw notFound();
    }
    const renamed = await transaction
      .updateTable('units')
      .set({ name })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const moved = await movePatients(transaction, siteId, before.name, name, now);
    const people = await transaction.selectFrom('user_units').select('user_id').where('unit_id', '=', id).execute();
    await audit(transaction, now, actor, { action: 'rename_unit', outcome: 'done', objectType: 'unit', objectId: id });
    return { row: renamed, patients: moved, members: people };
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
 * Moves the patients of a unit to its new name. Their versions go up too, so that a form opened under the old name
 * cannot bring it back.
 */
async function movePatients(transaction: Kysely<Database>, siteId: number, from: string, to: string, now: EpochMs) {
  return await transaction
    .updateTable('patients')
    .set({ unit: to, updated_at: now, version: sql<number>`version + 1` })
    .where('site_id', '=', siteId)
    .where('unit', '=', from)
    .returningAll()
    .execute();
}

/**
 * Deletes a unit that has no patients and no users, together with its assignments. Rejects with 404 if the unit is not
 * of the site, and with 409 `unit_not_empty`.
 */
export async function deleteUnit(
  store: Store,
  liveState: LiveState,
  now: EpochMs,
  actor: Actor,
  siteId: number,
  id: number,
): Promise<void> {
  const known = requireUnit(liveState, siteId, id);
  await store.db.transaction().execute(async (transaction) => {
    const row = await lock(transaction, known);
    if (row === undefined) {
      throw notFound();
    }
    const patient = await transaction
      .selectFrom('patients')
      .select('id')
      .where('site_id', '=', siteId)
      .where('unit', '=', row.name)
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
    await transaction.deleteFrom('assignments').where('unit_id', '=', id).execute();
    await transaction.deleteFrom('units').where('id', '=', id).execute();
    await audit(transaction, now, actor, { action: 'delete_unit', outcome: 'done', objectType: 'unit', objectId: id });
  });
  liveState.removeUnit(id);
}

/** Returns the unit with this id. Throws 404 if it is not of the site. */
export function requireUnit(liveState: LiveState, siteId: number, id: number): UnitRow {
  const row = liveState.units.get(id);
  if (row === undefined || row.site_id !== siteId) {
    throw notFound();
  }
  return row;
}
