import { hash, randomBytes } from 'node:crypto';
import type { User } from '../../lib/session/schema';
import { parseInstant } from '../../lib/time/parseInstant';
import type { Kysely } from 'kysely';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import { createSerialQueue } from '../db/serialQueue';
import { sameText } from '../http/csrf';
import { signedOut } from '../http/httpError';
import { readUsers } from './users';

/** Absolute life of a session, in milliseconds (security.md A7). */
export const sessionLastsMs = 12 * 3_600_000;
/** Input is stored this often at most; a restart then locks a session that much too early, never too late. */
const storeInputEveryMs = 60_000;

export interface Session {
  /** Names the session; the page may read it. */
  token: string;
  secretHash: string;
  /** When its user signed in; a session that was rotated goes on with the time of the first. */
  startedAt: number;
  expiresAt: number;
  /** When its user last touched the page. Polls, pings and streams of events do not count. */
  lastInputAt: number;
  /** Since when only the password opens it again; null: open. */
  lockedAt: number | null;
  ip: string | null;
  userAgent: string | null;
  user: User;
  /** Until when this user has broken the glass, epoch milliseconds; null: not. */
  breakGlassUntil: number | null;
}

/** The browser that asks for a session. */
export interface Browser {
  ip: string | null;
  userAgent: string | null;
  /** The session that this browser proved until now, which ends with the new one. */
  before: Session | null;
}

type Write<Result> = (transaction: Kysely<Database>) => Promise<Result>;

/** All live sessions of this process, which is the only one on its database. */
export interface Sessions {
  /** The session that both halves of the cookie prove, or null. It may be locked. */
  find(token: string | undefined, secret: string | undefined): Session | null;
  /** A session that was found earlier, if it still lives. */
  get(token: string): Session | null;
  /** Whether it waits for its user's password: locked by hand, or without input for as long as the site allows. */
  isLocked(session: Session): boolean;
  /** The sessions of a user that have not ended, the one used last first. */
  ofUser(userId: number): Session[];
  /**
   * Makes a session for a user and returns it with its secret, which is kept nowhere. `record` writes the audit row in
   * the same transaction, and may refuse there. Refuses with 401 `signed_out` where the user may have no session any
   * more.
   */
  start(
    userId: number,
    browser: Browser,
    record: (transaction: Kysely<Database>, session: Session) => Promise<void>,
  ): Promise<{ session: Session; secret: string }>;
  /**
   * Gives a session a new name and secret and opens it, in one transaction with `record`; the old ones are dead at
   * once. It ends when the first would have. `endOthers` ends all other sessions of the user as well. Refuses with 401
   * `signed_out` where the session has ended meanwhile.
   */
  rotate(
    session: Session,
    endOthers: boolean,
    record: (transaction: Kysely<Database>, session: Session) => Promise<void>,
  ): Promise<{ session: Session; secret: string }>;
  /** Notes that the user of a session that is not locked touched the page. */
  noteInput(session: Session): Promise<void>;
  /** Locks a session at once. Where that cannot be stored the error is thrown. */
  lock(session: Session, record: Write<void>): Promise<void>;
  /** Stores the lock of sessions whose time without input is over; `record` writes the audit row of each. */
  lockIdle(record: (transaction: Kysely<Database>, session: Session) => Promise<void>): Promise<void>;
  /** Ends a session at once. Where that cannot be stored it goes on, and the error is thrown. */
  end(token: string, record: Write<void>): Promise<void>;
  /**
   * Ends all sessions of a user but `except`, in one transaction with what else `act` does, and returns what that
   * returns. Where it cannot be stored they go on, and the error is thrown.
   */
  endAll<Result>(userId: number, except: string | null, act: Write<Result>): Promise<Result>;
  /**
   * Reads users anew, after a commit that changed them or their site: the very next call is judged by what they are
   * now.
   */
  reload(userIds: readonly number[]): Promise<void>;
  /** Calls back whenever a session was ended or locked or its user was read anew. */
  onChange(listener: () => void): void;
  /** Calls back with the user all of whose sessions were ended, but for the one with which they did it themselves. */
  onAllEnded(listener: (userId: number) => void): void;
}

/** A secret as the store keeps it: nobody signs in with a stolen database. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Loads the sessions that are still valid and returns the door to them. `now` gives epoch milliseconds. */
export async function openSessions(store: Store, now: () => number): Promise<Sessions> {
  const live = await loadSessions(store, now());
  const storedInputs = new Map<string, number>();
  // What starts, ends or rereads sessions waits for what came before: a sign-in beside a change of password comes
  // wholly before it, and is ended, or wholly after it, and is judged by it; what one puts back because it failed, no
  // other has ended.
  const inTurn = createSerialQueue();
  const listeners: (() => void)[] = [];
  const allEndedListeners: ((userId: number) => void)[] = [];
  const changed = (): void => {
    for (const listener of listeners) {
      listener();
    }
  };

  const allEnded = (userId: number): void => {
    for (const listener of allEndedListeners) {
      listener(userId);
    }
  };

  const get = (token: string): Session | null => {
    const session = live.get(token);
    if (session === undefined) {
      return null;
    }
    if (session.expiresAt <= now()) {
      forget([session]);
      return null;
    }
    if (session.breakGlassUntil !== null && session.breakGlassUntil <= now()) {
      // Another user object, by which every open page of the session hears that the emergency access is over.
      session.breakGlassUntil = null;
      session.user = { ...session.user, breakGlassUntil: null };
    }
    return session;
  };

  function forget(sessions: readonly Session[]): void {
    for (const { token } of sessions) {
      live.delete(token);
      storedInputs.delete(token);
    }
  }

  /**
   * Takes sessions out and stores that they ended. They are dead for this process before the store has heard of it:
   * nothing may slip through in between. Where it cannot be stored they would be back with the next start, so they go
   * on, and whoever is told that it failed can try again.
   */
  async function endThem<Result>(sessions: readonly Session[], act: Write<Result>): Promise<Result> {
    forget(sessions);
    try {
      return await store.db.transaction().execute(async (transaction) => {
        const tokens = sessions.map(({ token }) => token);
        if (tokens.length > 0) {
          await transaction.updateTable('sessions').set({ ended_at: now() }).where('token', 'in', tokens).execute();
        }
        return await act(transaction);
      });
    } catch (error) {
      for (const session of sessions) {
        live.set(session.token, session);
      }
      throw error;
    } finally {
      changed();
    }
  }

  const ofUser = (userId: number): Session[] =>
    [...live.values()]
      .filter(({ user, token }) => user.id === userId && get(token) !== null)
      .toSorted((a, b) => b.lastInputAt - a.lastInputAt);

  /** Stores a session under new names in place of others. */
  async function replace(
    ended: readonly Session[],
    make: (transaction: Kysely<Database>) => Promise<Omit<Session, 'token' | 'secretHash'>>,
    record: (transaction: Kysely<Database>, session: Session) => Promise<void>,
  ): Promise<{ session: Session; secret: string }> {
    const secret = randomBytes(32).toString('base64url');
    const session = await endThem(ended, async (transaction) => {
      const made = {
        ...(await make(transaction)),
        token: randomBytes(16).toString('base64url'),
        secretHash: hashSecret(secret),
      };
      await transaction
        .insertInto('sessions')
        .values({
          token: made.token,
          secret_hash: made.secretHash,
          user_id: made.user.id,
          created_at: made.startedAt,
          expires_at: made.expiresAt,
          ended_at: null,
          last_input_at: made.lastInputAt,
          locked_at: null,
          ip: made.ip,
          user_agent: made.userAgent,
        })
        .execute();
      await record(transaction, made);
      return made;
    });
    live.set(session.token, session);
    return { session, secret };
  }

  return {
    get,
    isLocked: (session) => isLocked(session, now()),
    ofUser,
    find: (token, secret) => {
      const session = token === undefined ? null : get(token);
      return session !== null && secret !== undefined && sameText(hashSecret(secret), session.secretHash)
        ? session
        : null;
    },
    start: (userId, { ip, userAgent, before }, record) =>
      inTurn(() =>
        replace(
          before === null || get(before.token) === null ? [] : [before],
          async (transaction) => {
            const user = (await readUsers(transaction, now(), [userId])).get(userId);
            if (user === undefined) {
              throw signedOut();
            }
            return {
              startedAt: now(),
              expiresAt: now() + sessionLastsMs,
              lastInputAt: now(),
              lockedAt: null,
              ip,
              userAgent: userAgent?.slice(0, 300) ?? null,
              user,
              breakGlassUntil: breakGlassUntilOf(user),
            };
          },
          record,
        ),
      ),
    rotate: (session, endOthers, record) =>
      inTurn(async () => {
        if (get(session.token) === null) {
          throw signedOut();
        }
        const ended = endOthers ? ofUser(session.user.id) : [session];
        const rotated = await replace(
          ended,
          () => Promise.resolve({ ...session, lastInputAt: now(), lockedAt: null }),
          record,
        );
        if (endOthers) {
          allEnded(session.user.id);
        }
        return rotated;
      }),
    noteInput: async (session) => {
      session.lastInputAt = now();
      const stored = storedInputs.get(session.token);
      if (stored === undefined || now() - stored >= storeInputEveryMs) {
        storedInputs.set(session.token, now());
        await store.db
          .updateTable('sessions')
          .set({ last_input_at: now() })
          .where('token', '=', session.token)
          .execute();
      }
    },
    lock: async (session, record) => {
      // Locked for this process whatever the store says: nobody waits at a screen that was left.
      session.lockedAt ??= now();
      changed();
      await store.db.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('sessions')
          .set({ locked_at: session.lockedAt })
          .where('token', '=', session.token)
          .execute();
        await record(transaction);
      });
    },
    lockIdle: async (record) => {
      const idle = [...live.values()].filter((session) => session.lockedAt === null && isLocked(session, now()));
      for (const session of idle) {
        const lockedAt = now();
        await store.db.transaction().execute(async (transaction) => {
          await transaction
            .updateTable('sessions')
            .set({ locked_at: lockedAt })
            .where('token', '=', session.token)
            .execute();
          await record(transaction, session);
        });
        session.lockedAt = lockedAt;
      }
      if (idle.length > 0) {
        changed();
      }
    },
    end: (token, record) =>
      inTurn(async () => {
        const session = live.get(token);
        await endThem(session === undefined ? [] : [session], record);
      }),
    endAll: (userId, except, act) =>
      inTurn(async () => {
        const done = await endThem(
          ofUser(userId).filter(({ token }) => token !== except),
          async (transaction) => {
            // Also those that this process forgot when their user was disabled.
            await transaction
              .updateTable('sessions')
              .set({ ended_at: now() })
              .where('user_id', '=', userId)
              .where('token', '!=', except ?? '')
              .where('ended_at', 'is', null)
              .execute();
            return await act(transaction);
          },
        );
        allEnded(userId);
        return done;
      }),
    reload: (userIds) =>
      inTurn(async () => {
        const users = await readUsers(store.db, now(), userIds);
        for (const session of [...live.values()].filter(({ user }) => userIds.includes(user.id))) {
          const user = users.get(session.user.id);
          if (user === undefined) {
            forget([session]);
          } else {
            session.user = user;
            session.breakGlassUntil = breakGlassUntilOf(user);
          }
        }
        changed();
      }),
    onChange: (listener) => {
      listeners.push(listener);
    },
    onAllEnded: (listener) => {
      allEndedListeners.push(listener);
    },
  };
}

async function loadSessions(store: Store, now: number): Promise<Map<string, Session>> {
  const rows = await store.db
    .selectFrom('sessions')
    .selectAll()
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .execute();
  const users = await readUsers(
    store.db,
    now,
    rows.map((row) => row.user_id),
  );
  const live = new Map<string, Session>();
  for (const row of rows) {
    const user = users.get(row.user_id);
    if (user !== undefined) {
      live.set(row.token, {
        token: row.token,
        secretHash: row.secret_hash,
        startedAt: row.created_at,
        expiresAt: row.expires_at,
        lastInputAt: row.last_input_at,
        lockedAt: row.locked_at,
        ip: row.ip,
        userAgent: row.user_agent,
        user,
        breakGlassUntil: breakGlassUntilOf(user),
      });
    }
  }
  return live;
}

/** Nobody stands at a wall display to unlock it, so that one never locks by itself. */
function isLocked({ lockedAt, lastInputAt, user }: Session, now: number): boolean {
  return lockedAt !== null || (user.type !== 'display' && now - lastInputAt >= user.site.idleMinutes * 60_000);
}

function breakGlassUntilOf({ breakGlassUntil }: User): number | null {
  return breakGlassUntil === null ? null : parseInstant(breakGlassUntil);
}
