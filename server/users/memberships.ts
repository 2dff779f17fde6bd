import type { Kysely } from 'kysely';
import type { Database } from '../db/schema';

/** Returns those of the units that belong to the site, so that no user joins a unit of another site. */
export async function unitsOfSite(db: Kysely<Database>, siteId: number, unitIds: readonly number[]): Promise<number[]> {
  if (unitIds.length === 0) {
    return [];
  }
  const rows = await db
    .selectFrom('units')
    .select('id')
    .where('site_id', '=', siteId)
    .where('id', 'in', unitIds)
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
