import { sql, type Kysely, type Selectable } from 'kysely';
import type { User } from '../../lib/session/schema';
import type { UserType } from '../../lib/session/userTypes';
import { audit, system, type Actor } from '../audit';
import type { Store } from '../db/open';
import type { Database, SitesTable } from '../db/schema';
import type { Env } from '../env';
import { Refusal } from '../http/refusal';
import { hashPassword, isPassword } from './passwords';
import { presentUser } from './sessions';

export const alreadySetUp = (): Refusal =>
  new Refusal(409, 'already_set_up', 'This installation has its first user. Sign in, or ask an administrator.');

/** True while nobody can sign in because no user exists. */
export async function hasNoUser(store: Store): Promise<boolean> {
  const row = await store.db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  return row === undefined;
}

export interface FirstUser {
  siteName: string;
  timeZone: string;
  fname: string;
  lname: string;
  email: string;
  password: string;
  type: UserType;
}

/**
 * Makes the first site and its first user, who is `isAdmin`. Refuses with 409 `already_set_up` when any user exists, also
 * when two do it at once.
 */
export async function createFirstUser(store: Store, now: number, actor: Actor, first: FirstUser): Promise<User> {
  const passwordHash = await hashPassword(first.password);
  return await store.db.transaction().execute(async (transaction) => {
    await requireNoUser(store, transaction);
    const site = await transaction
      .insertInto('sites')
      .values({ name: first.siteName, time_zone: first.timeZone, created_at: now })
      .returningAll()
      .executeTakeFirstOrThrow();
    return await addFirstUser(transaction, now, actor, site, { ...first, passwordHash, isAdmin: true });
  });
}

/**
 * Refuses with 409 `already_set_up` when any user exists. Call it first in the transaction that makes the first user: until
 * that ends, nobody else passes.
 */
export async function requireNoUser(store: Store, transaction: Kysely<Database>): Promise<void> {
  if (store.engine === 'postgres') {
    await sql`LOCK TABLE users IN EXCLUSIVE MODE`.execute(transaction);
  }
  if ((await transaction.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined) {
    throw alreadySetUp();
  }
}

/** Adds a user to a site that is being set up, with the audit row of that. */
export async function addFirstUser(
  transaction: Kysely<Database>,
  now: number,
  actor: Actor,
  site: Selectable<SitesTable>,
  first: Pick<FirstUser, 'fname' | 'lname' | 'email' | 'type'> & { passwordHash: string; isAdmin: boolean },
): Promise<User> {
  const row = await transaction
    .insertInto('users')
    .values({
      site_id: site.id,
      email: first.email,
      username: first.email,
      fname: first.fname,
      lname: first.lname,
      user_image: null,
      type: first.type,
      is_admin: first.isAdmin ? 1 : 0,
      password_hash: first.passwordHash,
      disabled_at: null,
      last_active_at: null,
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const user = presentUser({ ...row, site_name: site.name, time_zone: site.time_zone, is_demo: site.is_demo });
  await audit(
    transaction,
    now,
    { ...actor, siteId: site.id },
    { action: 'set_up', outcome: 'done', objectType: 'user', objectId: user.id },
  );
  return user;
}

/**
 * Makes the first user that the environment names (`ADMIN_EMAIL`), on a site made for it; does nothing once there is a
 * user, so that a password changed later stays changed. `now` is epoch milliseconds.
 */
export async function createConfiguredAdmin(
  store: Store,
  now: number,
  env: Pick<Env, 'firstAdmin' | 'siteName' | 'siteTimeZone'>,
): Promise<void> {
  if (env.firstAdmin !== null && (await hasNoUser(store))) {
    const site = { siteName: env.siteName, timeZone: env.siteTimeZone };
    await createFirstUser(store, now, system, { ...env.firstAdmin, ...site, fname: 'First', lname: 'Administrator' });
  }
}

/** The user whom e-mail and password name, or null; both answers take the same time. */
export async function findByPassword(store: Store, email: string, password: string): Promise<User | null> {
  const row = await store.db
    .selectFrom('users')
    .innerJoin('sites', 'sites.id', 'users.site_id')
    .selectAll('users')
    .select(['sites.name as site_name', 'sites.time_zone', 'sites.is_demo'])
    .where('users.email', '=', email)
    .executeTakeFirst();
  const right = await isPassword(password, row?.password_hash ?? null);
  return right && row !== undefined && row.disabled_at === null ? presentUser(row) : null;
}

/** Notes that a user's page is open. */
export async function updateLastActive(store: Store, now: number, userId: number): Promise<void> {
  await store.db.updateTable('users').set({ last_active_at: now }).where('id', '=', userId).execute();
}
