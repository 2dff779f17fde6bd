import { hash, randomBytes } from 'node:crypto';
import type { User } from '../../lib/session/schema';
import { parseInstant } from '../../lib/time/parseInstant';
import type { Kysely } from 'kysely';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import { sameText } from '../http/csrf';
import { readUsers } from './users';

/** Absolute life of a session, in milliseconds (security.md A7). */
export const sessionLastsMs = 12 * 3_600_000;

export interface Session {
  /** Names the session; the page may read it. */
  token: string;
  secretHash: string;
  expiresAt: number;
  user: User;
  /** Until when this user has broken the glass, epoch milliseconds; null: not. */
  breakGlassUntil: number | null;
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
  /**
   * Ends all sessions of a user but `except`, in one transaction with what else `act` does, and returns what that returns.
   * Where it cannot be stored they go on, and the error is thrown.
   */
  endAll<Result>(userId: number, except: string | null, act: (transaction: Kysely<Database>) => Promise<Result>): Promise<Result>;
  /** Reads users anew, after a commit that changed them or their site: the very next call is judged by what they are now. */
  reload(userIds: readonly number[]): Promise<void>;
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
    .select(['token', 'secret_hash', 'expires_at', 'user_id'])
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now())
    .execute();
  const users = await readUsers(
    store.db,
    now(),
    rows.map((row) => row.user_id),
  );
  for (const row of rows) {
    const user = users.get(row.user_id);
    if (user !== undefined) {
      live.set(row.token, sessionOf(row.token, row.secret_hash, row.expires_at, user));
    }
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
      const session = sessionOf(token, hashSecret(secret), now() + sessionLastsMs, user);
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
            last_input_at: now(),
            locked_at: null,
            ip: null,
            user_agent: null,
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
    endAll: async (userId, except, act) => {
      const ended = [...live.values()].filter(({ user, token }) => user.id === userId && token !== except);
      for (const { token } of ended) {
        live.delete(token);
      }
      try {
        return await store.db.transaction().execute(async (transaction) => {
          await transaction
            .updateTable('sessions')
            .set({ ended_at: now() })
            .where('user_id', '=', userId)
            .where('token', '!=', except ?? '')
            .where('ended_at', 'is', null)
            .execute();
          return await act(transaction);
        });
      } catch (error) {
        for (const session of ended) {
          live.set(session.token, session);
        }
        throw error;
      }
    },
    reload: async (userIds) => {
      const users = await readUsers(store.db, now(), userIds);
      for (const session of [...live.values()].filter(({ user }) => userIds.includes(user.id))) {
        const user = users.get(session.user.id);
        if (user === undefined) {
          live.delete(session.token);
        } else {
          Object.assign(session, sessionOf(session.token, session.secretHash, session.expiresAt, user));
        }
      }
    },
  };
}

function sessionOf(token: string, secretHash: string, expiresAt: number, user: User): Session {
  return { token, secretHash, expiresAt, user, breakGlassUntil: user.breakGlassUntil === null ? null : parseInstant(user.breakGlassUntil) };
}
