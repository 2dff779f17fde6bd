import type { Kysely } from 'kysely';
import { groupBy } from '../../lib/groupBy';
import { instantOrNull, toInstant } from '../../lib/time/schema';
import type { Invitation, ListedUser } from '../../lib/users/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { z } from 'zod';
import type { Database } from '../db/schema';
import { notFound } from '../http/httpError';
import { isValid } from '../session/accountTokens';

const ids = z.array(z.int());

/** Returns the users of a site as its administrators see them, sorted by name, or only the one with `userId`. */
export async function listUsers(db: Kysely<Database>, siteId: number, userId?: number): Promise<ListedUser[]> {
  const users = db.selectFrom('users').where('site_id', '=', siteId);
  const rows = await (userId === undefined ? users : users.where('id', '=', userId))
    .select([
      'id',
      'fname',
      'lname',
      'email',
      'type',
      'is_admin',
      'disabled_at',
      'waiting_since',
      'last_active_at',
      'created_at',
      'version',
    ])
    .orderBy('lname')
    .orderBy('fname')
    .orderBy('id')
    .execute();
  const memberships = db
    .selectFrom('user_units')
    .innerJoin('units', 'units.id', 'user_units.unit_id')
    .select(['user_units.user_id', 'units.id', 'units.name'])
    .where('units.site_id', '=', siteId);
  const ofUsers = userId === undefined ? memberships : memberships.where('user_units.user_id', '=', userId);
  const units = groupBy(await ofUsers.orderBy('units.name').execute(), ({ user_id }) => user_id);
  return rows.map((row) => ({
    id: row.id,
    fname: row.fname,
    lname: row.lname,
    email: row.email,
    type: row.type,
    isAdmin: row.is_admin === 1,
    units: (units.get(row.id) ?? []).map(({ id, name }) => ({ id, name })),
    state: row.disabled_at !== null ? 'disabled' : row.waiting_since !== null ? 'waiting' : 'active',
    lastActiveAt: instantOrNull(row.last_active_at),
    createdAt: toInstant(row.created_at),
    version: row.version,
  }));
}

/** Returns one user of a site. Rejects with 404 if the user is of another site. */
export async function requireListedUser(db: Kysely<Database>, siteId: number, userId: number): Promise<ListedUser> {
  const [user] = await listUsers(db, siteId, userId);
  if (user === undefined) {
    throw notFound();
  }
  return user;
}

/** Returns the valid invitations of a site, newest first. */
export async function listInvitations(db: Kysely<Database>, siteId: number, now: EpochMs): Promise<Invitation[]> {
  const rows = await db
    .selectFrom('account_tokens')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('kind', '=', 'invitation')
    .where(isValid(now))
    .orderBy('id', 'desc')
    .execute();
  const units = await db
    .selectFrom('units')
    .select(['id', 'name'])
    .where('site_id', '=', siteId)
    .where('retired_at', 'is', null)
    .orderBy('name')
    .execute();
  return rows.flatMap((row) => {
    const unitIds = ids.parse(JSON.parse(row.unit_ids));
    return row.type === null
      ? []
      : [
          {
            id: row.id,
            email: row.email,
            type: row.type,
            isAdmin: row.is_admin === 1,
            units: units.filter(({ id }) => unitIds.includes(id)),
            createdAt: toInstant(row.created_at),
            expiresAt: toInstant(row.expires_at),
          },
        ];
  });
}
