import { hash, randomBytes } from 'node:crypto';
import type { User } from '../../lib/session/schema';
import type { Kysely } from 'kysely';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import { sameText } from '../http/csrf';

/** Absolute life of a session, in milliseconds (security.md A7). */
export const sessionLastsMs = 12 * 3_600_000;

export interface Session {
  /** Names the session; the page may read it. */
  token: string;
  secretHash: string;
  expiresAt: number;
  user: User;
}

/** All live sessions of this process, which is the only one on its database. */
export interface Sessions {
  /** The session that both halves of the cookie prove, or null. */
  find(token: string | undefined, secret: string | undefined): Session | null;
  /** Whether a session that was found earlier still lives. */
  isLive(token: string): boolean;
  /**
   * Makes a session for a user and returns it with its secret, which is kept nowhere. `record` writes the audit row in the
   * same transaction.
   */
  start(
    user: User,
    record: (transaction: Kysely<Database>, session: Session) => Promise<void>,
  ): Promise<{ session: Session; secret: string }>;
  /** Ends a session at once. Where that cannot be stored it goes on, and the error is thrown. */
  end(token: string, record: (transaction: Kysely<Database>) => Promise<void>): Promise<void>;
}

/** A secret as the store keeps it: nobody signs in with a stolen database. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Loads the sessions that are still valid and returns the door to them. `now` gives epoch milliseconds. */
export async function openSessions(store: Store, now: () => number): Promise<Sessions> {
  const live = new Map<string, Session>();
  const rows = await store.db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('sites', 'sites.id', 'users.site_id')
    .selectAll('users')
    .select([
      'sessions.token',
      'sessions.secret_hash',
      'sessions.expires_at',
      'sites.name as site_name',
      'sites.time_zone',
      'sites.is_demo',
    ])
    .where('sessions.ended_at', 'is', null)
    .where('sessions.expires_at', '>', now())
    .where('users.disabled_at', 'is', null)
    .execute();
  for (const row of rows) {
    live.set(row.token, { token: row.token, secretHash: row.secret_hash, expiresAt: row.expires_at, user: presentUser(row) });
  }

  const isLive = (token: string): boolean => {
    const session = live.get(token);
    if (session === undefined) {
      return false;
    }
    if (session.expiresAt <= now()) {
      live.delete(token);
      return false;
    }
    return true;
  };

  return {
    isLive,
    find: (token, secret) => {
      if (token === undefined || secret === undefined || !isLive(token)) {
        return null;
      }
      const session = live.get(token);
      return session !== undefined && sameText(hashSecret(secret), session.secretHash) ? session : null;
    },
    start: async (user, record) => {
      const token = randomBytes(16).toString('base64url');
      const secret = randomBytes(32).toString('base64url');
      const session: Session = { token, secretHash: hashSecret(secret), expiresAt: now() + sessionLastsMs, user };
      await store.db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('sessions')
          .values({
            token,
            secret_hash: session.secretHash,
            user_id: user.id,
            created_at: now(),
            expires_at: session.expiresAt,
            ended_at: null,
          })
          .execute();
        await record(transaction, session);
      });
      live.set(token, session);
      return { session, secret };
    },
    end: async (token, record) => {
      // Dead for this process before the store has heard of it: nothing may slip through in between.
      const session = live.get(token);
      live.delete(token);
      try {
        await store.db.transaction().execute(async (transaction) => {
          await transaction
            .updateTable('sessions')
            .set({ ended_at: now() })
            .where('token', '=', token)
            .where('ended_at', 'is', null)
            .execute();
          await record(transaction);
        });
      } catch (error) {
        // The store still has it, and so would the next start: whoever is told that it failed can try again.
        if (session !== undefined) {
          live.set(token, session);
        }
        throw error;
      }
    },
  };
}

/** The fields of a user that leave the server; a column that is added later does not leak by itself. */
export function presentUser(row: {
  id: number;
  fname: string;
  lname: string;
  email: string;
  username: string;
  site_id: number;
  user_image: string | null;
  type: User['type'];
  is_admin: number;
  site_name: string;
  time_zone: string;
  is_demo: number;
}): User {
  return {
    id: row.id,
    fname: row.fname,
    lname: row.lname,
    email: row.email,
    username: row.username,
    siteId: row.site_id,
    userImage: row.user_image,
    type: row.type,
    isAdmin: row.is_admin === 1,
    site: { name: row.site_name, timeZone: row.time_zone, isDemo: row.is_demo === 1 },
  };
}
