import type { Kysely } from 'kysely';
import type { WrittenValue } from '../../lib/chart/schema';
import type { Database } from '../db/schema';
import { HttpError } from '../http/httpError';
import { readNames } from '../users/readNames';

/**
 * Resolves with a value as it is to be stored: a user in the team by their own name. Rejects with 422 if they are no
 * user of the site. Everything else stays as it is.
 */
export async function requireTeamUser(
  transaction: Kysely<Database>,
  siteId: number,
  wanted: WrittenValue,
): Promise<WrittenValue> {
  if (wanted.section !== 'team' || wanted.value.userId === null) {
    return wanted;
  }
  const { userId } = wanted.value;
  const known = await transaction
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('site_id', '=', siteId)
    .executeTakeFirst();
  if (known === undefined) {
    const words = 'is not a user of this site';
    throw new HttpError(422, 'invalid', `value.userId: ${words}`, { fields: { 'value.userId': words } });
  }
  const { name } = (await readNames(transaction, [userId]))(userId);
  return { ...wanted, value: { ...wanted.value, name } };
}
