import type { Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import { unitKey } from '../../lib/units/unitKey';
import { hold } from '../db/hold';
import type { UnitRow } from '../db/rows';
import type { Database } from '../db/schema';

/**
 * Returns the site's unit of this name, and creates it if there is none in use. Call it in the transaction that places
 * a patient there: it locks the row, so that no one renames or retires the unit before the commit. The site is locked
 * first, as in every transaction that locks both: two transactions must not wait for each other.
 */
export async function ensureUnit(
  transaction: Kysely<Database>,
  now: EpochMs,
  siteId: number,
  name: string,
): Promise<UnitRow> {
  await hold(transaction, 'sites', siteId);
  const row = (await lockByName(transaction, siteId, name)) ?? (await openUnit(transaction, now, siteId, name));
  if (row === null) {
    throw new Error('a unit that is in use cannot be read');
  }
  return row;
}

/**
 * Takes a unit into use: the retired one of this name, or else a new one. Returns null if the site uses the name. Locks
 * the site, so that concurrent changes of names run one after another.
 */
export async function openUnit(
  transaction: Kysely<Database>,
  now: EpochMs,
  siteId: number,
  name: string,
): Promise<UnitRow | null> {
  await hold(transaction, 'sites', siteId);
  const rows = await unitsOfName(transaction, siteId, name);
  const retired = rows.at(-1);
  if (rows.some(({ retired_at }) => retired_at === null)) {
    return null;
  }
  const row =
    retired === undefined
      ? await transaction
          .insertInto('units')
          .values({ site_id: siteId, name, created_at: now })
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst()
      : await changeUnit(transaction, retired.id, { name, retired_at: null });
  return row ?? null;
}

/** Changes a unit's row and its version. */
export async function changeUnit(
  transaction: Kysely<Database>,
  id: number,
  change: Partial<Pick<UnitRow, 'name' | 'retired_at'>>,
): Promise<UnitRow> {
  return await transaction
    .updateTable('units')
    .set((update) => ({ ...change, version: update('version', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Locks a unit's row until the transaction ends, and returns its current state, or null if it is not in use. */
export async function lockUnit(transaction: Kysely<Database>, id: number): Promise<UnitRow | null> {
  await hold(transaction, 'units', id);
  const row = await readUnitRow(transaction, id);
  return row.retired_at === null ? row : null;
}

async function readUnitRow(transaction: Kysely<Database>, id: number): Promise<UnitRow> {
  return await transaction.selectFrom('units').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

async function lockByName(transaction: Kysely<Database>, siteId: number, name: string): Promise<UnitRow | null> {
  const row = (await unitsOfName(transaction, siteId, name)).find(({ retired_at }) => retired_at === null);
  return row === undefined ? null : await lockUnit(transaction, row.id);
}

/** Returns the units of this name in any letter case, oldest first. At most one of them is in use. */
async function unitsOfName(transaction: Kysely<Database>, siteId: number, name: string): Promise<UnitRow[]> {
  const rows = await transaction.selectFrom('units').selectAll().where('site_id', '=', siteId).orderBy('id').execute();
  return rows.filter((row) => unitKey(row.name) === unitKey(name));
}

/** Returns a unit, or if it was retired the unit in use of its name, which is created if there is none. */
export async function reopenUnit(
  transaction: Kysely<Database>,
  now: EpochMs,
  siteId: number,
  id: number | null,
): Promise<UnitRow | null> {
  if (id === null) {
    return null;
  }
  await hold(transaction, 'sites', siteId);
  const { name } = await readUnitRow(transaction, id);
  return (await lockUnit(transaction, id)) ?? (await ensureUnit(transaction, now, siteId, name));
}
