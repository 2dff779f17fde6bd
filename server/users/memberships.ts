import type { Kysely } from 'kysely';
import { hold } from '../db/hold';
import type { Database } from '../db/schema';

/**
 * Returns those of the units that the site uses, so that no user joins a unit of another site. They are locked until
 * the transaction ends, so that none of them is retired before its new user is in the store.
 */
export async function unitsOfSite(
  transaction: Kysely<Database>,
  siteId: number,
  unitIds: readonly number[],
): Promise<number[]> {
  const wanted = [...new Set(unitIds)].sort((a, b) => a - b);
  if (wanted.length === 0) {
    return [];
  }
  for (const id of wanted) {
    await hold(transaction, 'units', id);
  }
  const rows = await transaction
    .selectFrom('units')
    .select('id')
    .where('site_id', '=', siteId)
    .where('id', 'in', wanted)
    .where('retired_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Replaces the units of a user. */
export async function putMemberships(
  transaction: Kysely<Database>,
  userId: number,
  unitIds: readonly number[],
): Promise<void> {
  await transaction.deleteFrom('user_units').where('user_id', '=', userId).execute();
  if (unitIds.length > 0) {
    await transaction
      .insertInto('user_units')
      .values(unitIds.map((unitId) => ({ user_id: userId, unit_id: unitId })))
      .execute();
  }
}
