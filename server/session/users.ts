import { sql, type Kysely, type Selectable } from 'kysely';
import { permissionsOf } from '../../lib/session/permissions';
import type { User } from '../../lib/session/schema';
import type { UserType } from '../../lib/session/userTypes';
import { toInstant } from '../../lib/time/schema';
import { audit } from '../audit';
import { system, type Actor } from '../audit/actor';
import type { Store } from '../db/open';
import type { Database, SitesTable } from '../db/schema';
import type { Env } from '../env';
import { HttpError } from '../http/httpError';
import { areRulesOn, hasIntendedUseChanged } from '../site/areRulesOn';
import { insertUser } from './insertUser';
import { hashNewPassword, hashPassword, isPassword, isWeakHash } from './passwords';

export const alreadySetUp = (): HttpError =>
  new HttpError(409, 'already_set_up', 'This installation has its first user. Sign in, or ask an administrator.');

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
 * Makes the first site and its first user, who is `isAdmin`. Refuses with 409 `already_set_up` when any user exists,
 * also when two do it at once.
 */
export async function createFirstUser(store: Store, now: number, actor: Actor, first: FirstUser): Promise<User> {
  const passwordHash = await hashNewPassword(first.password, [first.siteName, first.fname, first.lname, first.email]);
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
 * Refuses with 409 `already_set_up` when any user exists. Call it first in the transaction that makes the first user:
 * until that ends, nobody else passes.
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
  const id = await insertUser(transaction, now, { ...first, siteId: site.id, isWaiting: false });
  await audit(
    transaction,
    now,
    { ...actor, siteId: site.id },
    { action: 'set_up', outcome: 'done', objectType: 'user', objectId: id },
  );
  return await requireUser(transaction, now, id);
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

/** Somebody who gave the password of an account. */
export interface Proof {
  userId: number;
  /** The hash that the password was found to have. */
  passwordHash: string;
}

/**
 * The one door at which a password proves somebody, at sign-in as at a locked screen. Returns whom e-mail and password
 * name, or null; all answers take the same time. `waiting`: the password is right, and an administrator has still to
 * approve.
 */
export async function findByPassword(store: Store, email: string, password: string): Promise<Proof | 'waiting' | null> {
  const row = await store.db
    .selectFrom('users')
    .select(['id', 'password_hash', 'disabled_at', 'waiting_since'])
    .where('email', '=', email)
    .executeTakeFirst();
  const right = await isPassword(password, row?.password_hash ?? null);
  if (!right || row === undefined || row.disabled_at !== null) {
    return null;
  }
  const passwordHash = isWeakHash(row.password_hash) ? await renewHash(store, row, password) : row.password_hash;
  return row.waiting_since === null ? { userId: row.id, passwordHash } : 'waiting';
}

/**
 * Hashes a right password at today's cost. Whoever changed it meanwhile has the last word: then the proof is of the old
 * one.
 */
async function renewHash(store: Store, row: { id: number; password_hash: string }, password: string): Promise<string> {
  const renewed = await hashPassword(password);
  const { numUpdatedRows } = await store.db
    .updateTable('users')
    .set({ password_hash: renewed })
    .where('id', '=', row.id)
    .where('password_hash', '=', row.password_hash)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? renewed : row.password_hash;
}

/** Whether the account still has the password that somebody gave a moment ago. */
export async function isStillProved(db: Kysely<Database>, { userId, passwordHash }: Proof): Promise<boolean> {
  const row = await db.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst();
  return row?.password_hash === passwordHash;
}

/**
 * Whose account somebody tried and failed to open, as the audit names it: an account of the site that reads about it,
 * or, where there is none, nobody of the installation's only site (of several none is told).
 */
export async function findTried(
  db: Kysely<Database>,
  email: string,
): Promise<{ siteId: number | null; userId: number | null }> {
  const user = await db.selectFrom('users').select(['id', 'site_id']).where('email', '=', email).executeTakeFirst();
  const sites = await db.selectFrom('sites').select('id').limit(2).execute();
  const only = sites.length === 1 ? (sites[0]?.id ?? null) : null;
  return { siteId: user?.site_id ?? only, userId: user?.id ?? null };
}

/**
 * The users of these ids who may have a session, as answers show one, by id: who is disabled or waits for approval is
 * left out. An explicit list of what leaves the server. `now` is epoch milliseconds.
 */
export async function readUsers(db: Kysely<Database>, now: number, ids: readonly number[]): Promise<Map<number, User>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) {
    return new Map();
  }
  const rows = await db
    .selectFrom('users')
    .innerJoin('sites', 'sites.id', 'users.site_id')
    .selectAll('users')
    .select([
      'sites.name as site_name',
      'sites.time_zone',
      'sites.is_demo',
      'sites.intended_use_accepted_at',
      'sites.intended_use_version',
      'sites.emergency_number',
      'sites.idle_minutes',
      'sites.shift_starts',
    ])
    .where('users.id', 'in', wanted)
    .where('users.disabled_at', 'is', null)
    .where('users.waiting_since', 'is', null)
    .execute();
  const units = await db
    .selectFrom('user_units')
    .innerJoin('units', 'units.id', 'user_units.unit_id')
    .select(['user_units.user_id', 'units.id', 'units.name'])
    .where('user_units.user_id', 'in', wanted)
    .orderBy('units.name')
    .execute();
  const opened = await db
    .selectFrom('break_glass')
    .select((select) => ['user_id', select.fn.max('ends_at').as('ends_at')])
    .where('user_id', 'in', wanted)
    .where('ends_at', '>', now)
    .groupBy('user_id')
    .execute();
  const openUntil = new Map(opened.map((row) => [row.user_id, row.ends_at]));
  return new Map(
    rows.map((row) => {
      const kind = { type: row.type, isAdmin: row.is_admin === 1 };
      const until = openUntil.get(row.id);
      const own = units.filter(({ user_id }) => user_id === row.id).map(({ id, name }) => ({ id, name }));
      return [
        row.id,
        {
          id: row.id,
          fname: row.fname,
          lname: row.lname,
          email: row.email,
          username: row.username,
          siteId: row.site_id,
          userImage: row.user_image,
          ...kind,
          site: {
            name: row.site_name,
            timeZone: row.time_zone,
            isDemo: row.is_demo === 1,
            rulesAreOn: areRulesOn(row),
            intendedUseChanged: hasIntendedUseChanged(row),
            emergencyNumber: row.emergency_number,
            idleMinutes: row.idle_minutes,
            shiftStarts: row.shift_starts,
          },
          units: own,
          permissions: permissionsOf({ ...kind, units: own }),
          breakGlassUntil: until === undefined ? null : toInstant(until),
        },
      ];
    }),
  );
}

/** One of them, who has to exist. */
export async function requireUser(db: Kysely<Database>, now: number, id: number): Promise<User> {
  const user = (await readUsers(db, now, [id])).get(id);
  if (user === undefined) {
    throw new Error('a user who was just written cannot be read');
  }
  return user;
}

/** The names that make no password for a user: the site's, their own and their address. */
export async function namesAround(store: Store, userId: number): Promise<string[]> {
  const row = await store.db
    .selectFrom('users')
    .innerJoin('sites', 'sites.id', 'users.site_id')
    .select(['sites.name', 'users.fname', 'users.lname', 'users.email'])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
  return [row.name, row.fname, row.lname, row.email];
}

/** Notes that a user's page is open. */
export async function updateLastActive(store: Store, now: number, userId: number): Promise<void> {
  await store.db.updateTable('users').set({ last_active_at: now }).where('id', '=', userId).execute();
}
