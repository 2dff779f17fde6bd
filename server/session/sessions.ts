import { hash, randomBytes } from 'node:crypto';
import { isDisplay } from '../../lib/session/isDisplay';
import type { User } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Kysely } from 'kysely';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import { createSerialQueue } from '../db/serialQueue';
import { sameText } from '../http/csrf';
import { isStorageUnavailable, passOver } from '../http/errors';
import { signedOut } from '../http/httpError';
import type { Session } from './session';
import { endSessions, insertSession, readSessions } from './sessionRows';
import { Presence } from './presence';
import { createRenewals } from './renewals';
import { breakGlassUntilOf, isLocked, lifetimeOf, renewAgainMs, replacedLastsMs, replacedUsedMs } from './sessionTimes';
import { readUsers } from './users';

/**
 * The least time between two stores of user input. A restart may lock a session this much too early, never too late.
 */
const storeInputEveryMs = 60_000;

/** The browser that asks for a session. */
export interface Browser {
  ip: string | null;
  userAgent: string | null;
  /** The session that this browser has had until now. It ends when the new one starts. */
  before: Session | null;
}

type Write<Result> = (transaction: Kysely<Database>) => Promise<Result>;

/** How a new session gets on record. If it rejects, there is no new session. */
export interface SessionRecord {
  /** Writes the audit row in the transaction that stores the session. */
  now: (transaction: Kysely<Database>, session: Session) => Promise<void>;
  /**
   * Takes over what has still to be stored while nothing can be, with the row, until that works. If the process ends
   * before, the user signs in again. Without it no session starts meanwhile.
   */
  later?: (write: Write<void>, session: Session) => Promise<void>;
}

/** All live sessions of this process, which is the only one on its database. */
export interface Sessions {
  /** Returns the session whose token and secret the cookies hold, or null. It may be locked. */
  find(token: string | undefined, secret: string | undefined): Session | null;
  /** Returns the session with a token, or null if it has ended. Proves nothing: the token is public. */
  get(token: string): Session | null;
  /** Returns whether a session is locked: by its user, or because it had no input for as long as the site allows. */
  isLocked(session: Session): boolean;
  /** Returns the sessions of a user that have not ended, last used first. */
  ofUser(userId: number): Session[];
  /**
   * Returns whether a user has a session that has not ended, locked or not. One that is being ended counts until that
   * is stored, or until the session in its place has begun.
   */
  isSignedIn(userId: number): boolean;
  /** Returns whether an emergency access of a user is open. */
  isOpened(userId: number): boolean;
  /**
   * Returns since when no one has been at any session of a user (clinical.md section 00, A1), in epoch milliseconds;
   * null: somebody is, or the user has none.
   */
  absentSince(userId: number): EpochMs | null;
  /** Returns the users who are at one of their sessions. Displays are no one. */
  present(): ReadonlySet<number>;
  /** Counts the time for `absentSince`. Call it with each tick. */
  countPresence(): void;
  /**
   * Starts a session for a user and returns it with its secret, which is stored only as a hash. Rejects with 401
   * `signed_out` if the user may no longer have a session.
   */
  start(userId: number, browser: Browser, record: SessionRecord): Promise<{ session: Session; secret: string }>;
  /**
   * Gives a session whose user has just given their password a new token and secret and unlocks it. The old token and
   * secret stop working at once; the expiry stays. `endOthers` also ends all other sessions of the user. Rejects with
   * 401 `signed_out` if the session has ended meanwhile.
   */
  rotate(session: Session, endOthers: boolean, record: SessionRecord): Promise<{ session: Session; secret: string }>;
  /**
   * Gives the session of a display a new token, secret and expiry, in one transaction with `record`. The old ones work
   * for a minute from the first use of the new ones, because other calls are on their way with them, and for a day if
   * the response is lost. Resolves with null if the session was renewed in the last minute. Rejects with 401
   * `signed_out` if the session has ended meanwhile.
   */
  renew(
    session: Session,
    record: (transaction: Kysely<Database>, session: Session) => Promise<void>,
  ): Promise<{ session: Session; secret: string } | null>;
  /** Records that the user of an unlocked session touched the page. */
  noteInput(session: Session): Promise<void>;
  /** Locks a session at once. Rejects if the lock cannot be stored. */
  lock(session: Session, record: Write<void>): Promise<void>;
  /** Stores the lock of every session that has had no input for too long. `record` writes the audit row of each. */
  lockIdle(record: (transaction: Kysely<Database>, session: Session) => Promise<void>): Promise<void>;
  /** Ends a session at once. If that cannot be stored, the session goes on and the call rejects. */
  end(token: string, record: Write<void>): Promise<void>;
  /**
   * Ends the session of a user who leaves, at once. `store` stores that, now or as soon as it can be stored; if it
   * rejects, the session goes on and the call rejects.
   */
  leave(token: string, store: (write: Write<void>) => Promise<void>): Promise<void>;
  /**
   * Ends all sessions of a user except `except`, in one transaction with `act`, and returns the result of `act`. If
   * that cannot be stored, the sessions go on and the call rejects.
   */
  endAll<Result>(userId: number, except: string | null, act: Write<Result>): Promise<Result>;
  /** Reads users again after a commit that changed them or their site, so that the next call uses their new rights. */
  reload(userIds: readonly number[]): Promise<void>;
  /** Does so for all users with a session. */
  reloadAll(): Promise<void>;
  /** Notes for all users whether the disk with the data is nearly full. On a full one nothing could be stored. */
  noteDisk(isLow: boolean): void;
  /**
   * Moves the times of all sessions with a step of the server's clock, before it first waits, and reads their users
   * again. The store has moved them before.
   */
  moveClock(ms: number): Promise<void>;
  /** Calls the listener after a session was ended or locked, or its user was read again. */
  onChange(listener: () => void): void;
  /** Calls the listener with a user after all their sessions were ended, except possibly the one that did so. */
  onAllEnded(listener: (userId: number) => void): void;
}

/** Returns the form in which a secret is stored: a hash, so that a stolen database signs no one in. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

const withDisk = (user: User, isDiskLow: boolean): User => ({ ...user, site: { ...user.site, isDiskLow } });

const tokensOf = (sessions: readonly Session[]): string[] => sessions.map(({ token }) => token);

/** Loads the sessions that are still valid. */
export async function loadSessions(store: Store, now: () => EpochMs, elapsed: () => number): Promise<Sessions> {
  const live = await readSessions(store, now());
  /** Sessions that no call can use any more, and whose end is not settled. */
  const ending = new Set<Session>();
  const presence = new Presence(now, elapsed);
  let isDiskLow = false;
  const storedInputs = new Map<string, number>();
  const renewals = createRenewals();
  // Starts, ends and reloads of sessions run one after another. A sign-in during a change of password happens either
  // before it, and its session is ended, or after it, and needs the new password. A call that fails and puts its
  // sessions back cannot bring back one that another call has ended.
  const queue = createSerialQueue();
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
      // A new user object: the event streams compare it and report to each open page that the emergency access is over.
      session.breakGlassUntil = null;
      session.user = { ...session.user, breakGlassUntil: null };
    }
    return session;
  };

  function forget(sessions: readonly Session[]): void {
    for (const { token } of sessions) {
      live.delete(token);
      storedInputs.delete(token);
      renewals.forget(token);
    }
  }

  /** Runs what ends sessions, which count as there until it has settled. */
  async function whileEnding<Result>(sessions: readonly Session[], end: () => Promise<Result>): Promise<Result> {
    forget(sessions);
    sessions.forEach((session) => ending.add(session));
    try {
      return await end();
    } catch (error) {
      sessions.forEach((session) => live.set(session.token, session));
      throw error;
    } finally {
      sessions.forEach((session) => ending.delete(session));
      changed();
    }
  }

  /**
   * Removes sessions and stores that they ended. They stop working in this process before the store is written, so that
   * no call can use them in between. If the write fails they would be back after a restart, so they are put back and
   * the call rejects: the user sees the error and can try again.
   */
  async function endThem<Result>(
    sessions: readonly Session[],
    act: Write<Result>,
    stored: (result: Result) => void = () => undefined,
  ): Promise<Result> {
    return await whileEnding(sessions, async () => {
      const result = await store.db.transaction().execute(async (transaction) => {
        await endSessions(transaction, tokensOf(sessions), now());
        return await act(transaction);
      });
      stored(result);
      return result;
    });
  }

  const ofUser = (userId: number): Session[] =>
    [...live.values()]
      .filter(({ user, token }) => user.id === userId && get(token) !== null)
      .toSorted((a, b) => b.lastInputAt - a.lastInputAt);

  /** Ends sessions and stores a new one with a new token and secret in one transaction, else by `record.later`. */
  async function replace(
    ended: readonly Session[],
    make: (db: Kysely<Database>) => Promise<Omit<Session, 'token' | 'secretHash'>>,
    record: SessionRecord,
  ): Promise<{ session: Session; secret: string }> {
    const secret = randomBytes(32).toString('base64url');
    const complete = async (db: Kysely<Database>): Promise<Session> => ({
      ...(await make(db)),
      token: randomBytes(16).toString('base64url'),
      secretHash: hashSecret(secret),
    });
    try {
      const session = await endThem(
        ended,
        async (transaction) => {
          const made = await complete(transaction);
          await insertSession(transaction, made);
          await record.now(transaction, made);
          return made;
        },
        (made) => live.set(made.token, made),
      );
      return { session, secret };
    } catch (error) {
      if (record.later === undefined || !isStorageUnavailable(error)) {
        throw error;
      }
      const session = await complete(store.db);
      await replaceLater(ended, session, record.later);
      return { session, secret };
    }
  }

  /** Ends sessions and starts a new one in this process; `later` stores both. */
  async function replaceLater(
    ended: readonly Session[],
    session: Session,
    later: NonNullable<SessionRecord['later']>,
  ): Promise<void> {
    const endedAt = now();
    forget(ended);
    live.set(session.token, session);
    try {
      await later(async (transaction) => {
        await endSessions(transaction, tokensOf(ended), endedAt);
        await insertSession(transaction, session);
        // What ended it found no row.
        if (!live.has(session.token)) {
          await endSessions(transaction, [session.token], endedAt);
        }
      }, session);
    } catch (error) {
      forget([session]);
      for (const before of ended) {
        live.set(before.token, before);
      }
      throw error;
    } finally {
      changed();
    }
  }

  const storeLock = ({ token }: Session, lockedAt: EpochMs, record: Write<void>): Promise<void> =>
    store.db.transaction().execute(async (transaction) => {
      await transaction.updateTable('sessions').set({ locked_at: lockedAt }).where('token', '=', token).execute();
      await record(transaction);
    });

  const readNow = async (db: Kysely<Database>, userIds: readonly number[]): Promise<Map<number, User>> => {
    const users = await readUsers(db, now(), userIds);
    return new Map([...users].map(([id, user]) => [id, withDisk(user, isDiskLow)]));
  };

  const reload = (userIds: readonly number[]): Promise<void> =>
    queue(async () => {
      const users = await readNow(store.db, userIds);
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
    });

  const reloadAll = (): Promise<void> => reload([...new Set([...live.values()].map(({ user }) => user.id))]);

  return {
    get,
    isLocked: (session) => isLocked(session, now()),
    ofUser,
    isSignedIn: (userId) =>
      [...live.values()].some(({ user, token }) => user.id === userId && get(token) !== null) ||
      [...ending].some(({ user }) => user.id === userId),
    isOpened: (userId) => ofUser(userId).some(({ breakGlassUntil }) => (breakGlassUntil ?? 0) > now()),
    absentSince: (userId) => {
      const own = ofUser(userId);
      const absent = own.flatMap(({ token }) => presence.absentSince(token) ?? []);
      return absent.length === 0 || absent.length < own.length ? null : Math.max(...absent);
    },
    present: () =>
      new Set(
        [...live.values()]
          .filter(({ token }) => get(token) !== null)
          .concat(...ending)
          .filter(({ user, token }) => !isDisplay(user) && presence.absentSince(token) === null)
          .map(({ user }) => user.id),
      ),
    countPresence: () => {
      presence.look(live, (session) => isLocked(session, now()));
    },
    find: (token, secret) => {
      const session = token === undefined ? null : get(token);
      if (session === null || secret === undefined || !sameText(hashSecret(secret), session.secretHash)) {
        return null;
      }
      presence.heard(session.token);
      const replaced = get(renewals.used(session.token) ?? '');
      if (replaced !== null) {
        replaced.expiresAt = Math.min(replaced.expiresAt, now() + replacedUsedMs);
      }
      return session;
    },
    start: (userId, { ip, userAgent, before }, record) =>
      queue(() =>
        replace(
          before === null || get(before.token) === null ? [] : [before],
          async (db) => {
            const user = (await readNow(db, [userId])).get(userId);
            if (user === undefined) {
              throw signedOut();
            }
            return {
              startedAt: now(),
              expiresAt: now() + lifetimeOf(user),
              lastInputAt: now(),
              lockedAt: null,
              provedAt: elapsed(),
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
      queue(async () => {
        if (get(session.token) === null) {
          throw signedOut();
        }
        const ended = endOthers ? ofUser(session.user.id) : [session];
        const rotated = await replace(
          ended,
          () => Promise.resolve({ ...session, lastInputAt: now(), lockedAt: null, provedAt: elapsed() }),
          record,
        );
        if (endOthers) {
          allEnded(session.user.id);
        }
        return rotated;
      }),
    renew: (session, record) =>
      queue(async () => {
        if (get(session.token) === null) {
          throw signedOut();
        }
        const last = renewals.of(session.token);
        if (last !== null && now() - last.at < renewAgainMs) {
          return null;
        }
        // The response with its secret was lost.
        const unused = last === null ? null : get(last.token);
        const replacedUntil = Math.min(session.expiresAt, now() + replacedLastsMs);
        const renewed = await replace(
          unused === null ? [] : [unused],
          async (transaction) => {
            await transaction
              .updateTable('sessions')
              .set({ expires_at: replacedUntil })
              .where('token', '=', session.token)
              .execute();
            return { ...session, expiresAt: now() + lifetimeOf(session.user) };
          },
          { now: record },
        );
        session.expiresAt = replacedUntil;
        renewals.add(session.token, { token: renewed.session.token, at: now() });
        return renewed;
      }),
    noteInput: async (session) => {
      session.lastInputAt = now();
      const stored = storedInputs.get(session.token);
      if (stored === undefined || now() - stored >= storeInputEveryMs) {
        storedInputs.set(session.token, now());
        try {
          await store.db
            .updateTable('sessions')
            .set({ last_input_at: now() })
            .where('token', '=', session.token)
            .execute();
        } catch (error) {
          storedInputs.delete(session.token);
          // This process knows of the input. If it ends now, the next one locks the session too early.
          passOver(error);
        }
      }
    },
    lock: async (session, record) => {
      // Locked in this process even if the store fails, because the screen is about to be left alone.
      session.lockedAt ??= now();
      changed();
      await storeLock(session, session.lockedAt, record);
    },
    lockIdle: async (record) => {
      const idle = [...live.values()].filter((session) => session.lockedAt === null && isLocked(session, now()));
      for (const session of idle) {
        const lockedAt = now();
        await storeLock(session, lockedAt, (transaction) => record(transaction, session));
        session.lockedAt = lockedAt;
      }
      if (idle.length > 0) {
        changed();
      }
    },
    end: (token, record) =>
      queue(async () => {
        const session = live.get(token);
        await endThem(session === undefined ? [] : [session], record);
      }),
    leave: (token, store) =>
      queue(async () => {
        const session = live.get(token);
        const endedAt = now();
        await whileEnding(session === undefined ? [] : [session], () =>
          store((transaction) => endSessions(transaction, [token], endedAt)),
        );
      }),
    endAll: (userId, except, act) =>
      queue(async () => {
        const done = await endThem(
          ofUser(userId).filter(({ token }) => token !== except),
          async (transaction) => {
            // Includes sessions that this process dropped when their user was disabled.
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
    reload,
    reloadAll,
    noteDisk: (isLow) => {
      if (isLow !== isDiskLow) {
        isDiskLow = isLow;
        for (const session of live.values()) {
          session.user = withDisk(session.user, isLow);
        }
        changed();
      }
    },
    moveClock: async (ms) => {
      presence.moveClock(ms);
      for (const session of live.values()) {
        session.startedAt += ms;
        session.expiresAt += ms;
        session.lastInputAt += ms;
        session.lockedAt = session.lockedAt === null ? null : session.lockedAt + ms;
      }
      storedInputs.clear();
      // Their emergency access has moved as well.
      await reloadAll();
    },
    onChange: (listener) => {
      listeners.push(listener);
    },
    onAllEnded: (listener) => {
      allEndedListeners.push(listener);
    },
  };
}
