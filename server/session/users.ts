import { sql, type Kysely, type Selectable } from 'kysely';
import { permissionsOf } from '../../lib/session/permissions';
import type { SetupBody, User } from '../../lib/session/schema';
import { toInstant } from '../../lib/time/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { auditDone } from '../audit';
import { system, type Actor } from '../audit/actor';
import type { Store } from '../db/open';
import type { Database, SitesTable } from '../db/schema';
import type { Env } from '../env';
import { passOver } from '../http/errors';
import { HttpError } from '../http/httpError';
import { areRulesOn, hasIntendedUseChanged } from '../site/areRulesOn';
import { insertUser } from './insertUser';
import { createPasswords, type Passwords } from './passwords';

export const alreadySetUp = (): HttpError =>
  new HttpError(409, 'already_set_up', 'This installation has its first user. Sign in, or ask an administrator.');

/** Returns whether the database has no user yet. */
export async function hasNoUser(store: Store): Promise<boolean> {
  const row = await store.db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  return row === undefined;
}

type FirstUser = Omit<SetupBody, 'code'>;

/**
 * Creates the first site and its first user, who is `isAdmin`. Rejects with 409 `already_set_up` if any user exists,
 * even one created concurrently.
 */
export async function createFirstUser(
  { store, passwords }: { store: Store; passwords: Passwords },
  now: EpochMs,
  actor: Actor,
  first: FirstUser,
): Promise<User> {
  const passwordHash = await passwords.hashNew(first.password, [first.siteName, first.fname, first.lname, first.email]);
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
 * Rejects with 409 `already_set_up` if any user exists. Call it first in the transaction that creates the first user:
 * it holds a lock until that transaction ends.
 */
export async function requireNoUser(store: Store, transaction: Kysely<Database>): Promise<void> {
  if (store.engine === 'postgres') {
    await sql`LOCK TABLE users IN EXCLUSIVE MODE`.execute(transaction);
  }
  if ((await transaction.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined) {
    throw alreadySetUp();
  }
}

/** Adds a user to a site that is being set up, and audits it. */
export async function addFirstUser(
  transaction: Kysely<Database>,
  now: EpochMs,
  actor: Actor,
  site: Selectable<SitesTable>,
  first: Pick<FirstUser, 'fname' | 'lname' | 'email' | 'type'> & { passwordHash: string; isAdmin: boolean },
): Promise<User> {
  const id = await insertUser(transaction, now, { ...first, siteId: site.id, isWaiting: false });
  await auditDone(transaction, now, { ...actor, siteId: site.id }, 'set_up', ['user', id]);
  return await requireUser(transaction, now, id);
}

/**
 * Creates the first user that the environment names (`ADMIN_EMAIL`), on a new site. Does nothing once there is a user,
 * so that a password changed later stays changed. It runs before there is an app, at the product's cost of a hash.
 */
export async function createConfiguredAdmin(
  store: Store,
  now: EpochMs,
  env: Pick<Env, 'firstAdmin' | 'siteName' | 'siteTimeZone'>,
): Promise<void> {
  if (env.firstAdmin !== null && (await hasNoUser(store))) {
    const site = { siteName: env.siteName, timeZone: env.siteTimeZone };
    const parts = { store, passwords: createPasswords() };
    await createFirstUser(parts, now, system, { ...env.firstAdmin, ...site, fname: 'First', lname: 'Administrator' });
  }
}

/** A user who gave the right password. */
export interface Proof {
  userId: number;
  /** The hash that the password matched. */
  passwordHash: string;
}

/**
 * Returns the user whom an e-mail address and a password prove, or null, always after the same time. Sign-in and unlock
 * both use it. Returns `waiting` if the password is right and an administrator still has to approve the user. If the
 * caller hides the time (`isSlowed`) an unknown address costs no hash: guesses at invented ones would take the turns of
 * those who sign in.
 */
export async function findByPassword(
  { store, passwords }: { store: Store; passwords: Passwords },
  email: string,
  password: string,
  isSlowed = false,
): Promise<Proof | 'waiting' | null> {
  const row = await store.db
    .selectFrom('users')
    .select(['id', 'password_hash', 'disabled_at', 'waiting_since'])
    .where('email', '=', email)
    .executeTakeFirst();
  const right = !(isSlowed && row === undefined) && (await passwords.isRight(password, row?.password_hash ?? null));
  if (!right || row === undefined || row.disabled_at !== null) {
    return null;
  }
  const passwordHash = passwords.isWeak(row.password_hash)
    ? await renewHash(store, row, await passwords.hash(password))
    : row.password_hash;
  return row.waiting_since === null ? { userId: row.id, passwordHash } : 'waiting';
}

/**
 * Stores the hash of a right password at today's cost, `renewed`, and returns it. Returns the old hash if the password
 * was changed meanwhile, or nothing can be stored.
 */
async function renewHash(store: Store, row: { id: number; password_hash: string }, renewed: string): Promise<string> {
  try {
    const { numUpdatedRows } = await store.db
      .updateTable('users')
      .set({ password_hash: renewed })
      .where('id', '=', row.id)
      .where('password_hash', '=', row.password_hash)
      .executeTakeFirst();
    return numUpdatedRows > 0n ? renewed : row.password_hash;
  } catch (error) {
    passOver(error);
    return row.password_hash;
  }
}

/** Returns whether the account still has the password of the proof. */
export async function isStillProved(db: Kysely<Database>, { userId, passwordHash }: Proof): Promise<boolean> {
  const row = await db.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst();
  return row?.password_hash === passwordHash;
}

/**
 * Returns the site and user of a failed try, for the audit. An unknown address has no user and belongs to the
 * installation's only site; if there are several sites, it belongs to none.
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
 * Returns users by id, in the form of API responses. Users who are disabled or wait for approval are left out, because
 * they may have no session. The fields are listed explicitly: this is what leaves the server.
 */
export async function readUsers(
  db: Kysely<Database>,
  now: EpochMs,
  ids: readonly number[],
): Promise<Map<number, User>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) {
    return new Map();
  }
  const rows = await db
    .selectFrom('users')
    .innerJoin('sites', 'sites.id', 'users.site_id')
    .leftJoin('users as makers', (join) =>
      join.onRef('makers.id', '=', 'users.link_made_by').on('users.link_notice', '=', 1),
    )
    .selectAll('users')
    .select([
      'makers.fname as maker_fname',
      'makers.lname as maker_lname',
      'sites.name as site_name',
      'sites.time_zone',
      'sites.is_demo',
      'sites.intended_use_accepted_at',
      'sites.intended_use_version',
      'sites.emergency_number',
      'sites.rapid_response_number',
      'sites.idle_minutes',
      'sites.shift_starts',
      'sites.date_order',
    ])
    .select((select) =>
      select.selectFrom('progress').select('value').where('name', '=', 'clock_expected_at').as('clock_expected_at'),
    )
    .select((select) =>
      select.selectFrom('users as firsts').select('firsts.site_id').orderBy('firsts.id').limit(1).as('first_site_id'),
    )
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
      const kind = {
        type: row.type,
        isAdmin: row.is_admin === 1,
        // Those of a demo administrate nothing that is real.
        administersInstallation: row.is_admin === 1 && row.is_demo === 0 && row.site_id === row.first_site_id,
        awaitsConfirmation: row.unconfirmed_since !== null,
      };
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
            isClockDoubted: (row.clock_expected_at ?? 0) !== 0,
            // Known to the process alone (`Sessions.noteDisk`).
            isDiskLow: false,
            emergencyNumber: row.emergency_number,
            rapidResponseNumber: row.rapid_response_number ?? row.emergency_number,
            idleMinutes: row.idle_minutes,
            shiftStarts: row.shift_starts,
            dateOrder: row.date_order,
          },
          units: own,
          permissions: permissionsOf({ ...kind, units: own }),
          passwordLinkBy:
            row.maker_fname === null || row.maker_lname === null ? null : `${row.maker_fname} ${row.maker_lname}`,
          breakGlassUntil: until === undefined ? null : toInstant(until),
        },
      ];
    }),
  );
}

/** Returns one user by id. Throws if there is none. */
export async function requireUser(db: Kysely<Database>, now: EpochMs, id: number): Promise<User> {
  const user = (await readUsers(db, now, [id])).get(id);
  if (user === undefined) {
    throw new Error('a user who was just written cannot be read');
  }
  return user;
}

/** Returns the names that a user's password must not consist of: the site's, their own and their e-mail address. */
export async function namesAround(store: Store, userId: number): Promise<string[]> {
  const row = await store.db
    .selectFrom('users')
    .innerJoin('sites', 'sites.id', 'users.site_id')
    .select(['sites.name', 'users.fname', 'users.lname', 'users.email'])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
  return [row.name, row.fname, row.lname, row.email];
}

/** Records that a user's page is open. */
export async function updateLastActive(store: Store, now: EpochMs, userId: number): Promise<void> {
  await store.db.updateTable('users').set({ last_active_at: now }).where('id', '=', userId).execute();
}
