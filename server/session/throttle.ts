import { createHmac, randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { EpochMs } from '../../lib/time/epochMs';
import { createSerialQueue } from '../db/serialQueue';
import type { Store } from '../db/open';
import { isStorageUnavailable, passOver } from '../http/errors';
import { HttpError } from '../http/httpError';
import { hashSecret } from './sessions';

const freeFailures = 5;
/** The longest wait for the next try, in milliseconds, and how long a failure counts for where it came from. */
export const longestMs = 15 * 60_000;
/** So many failures, or failures at so many accounts, are free where a try comes from. */
const freeOfOrigin = { failures: 10, accounts: 5 };
/** What is slowed is answered after so many milliseconds. */
const slowMs = 5_000;
/** Where somebody has signed in for so long before, no one is shut out. */
const trustedMs = 14 * 86_400_000;
/** After this many failures in a row an account accepts only known browsers (NIST SP 800-63B). */
const hardStopAt = 100;
const dayMs = 86_400_000;
/** Counters of a kind that are kept in this process at most: more than an installation has people. */
const mostKept = 10_000;
/** How long a browser stays known after a sign-in, in milliseconds. */
export const browserKnownMs = 180 * dayMs;

/** The failures in a row, and until when further tries are rejected. */
export interface Failures {
  failures: number;
  blockedUntil: EpochMs;
}

/**
 * Returns the failures of an account after one more failure at `now`. Five failures are free, then each doubles the
 * wait, from 2 s to 15 min. The hundredth blocks for good.
 */
export function afterFailure(known: Failures | null, now: EpochMs): Failures {
  const failures = (known?.failures ?? 0) + 1;
  if (failures >= hardStopAt) {
    return { failures, blockedUntil: Number.MAX_SAFE_INTEGER };
  }
  const delayed = failures - freeFailures;
  return { failures, blockedUntil: delayed <= 0 ? now : now + Math.min(longestMs, 1_000 * 2 ** Math.min(delayed, 20)) };
}

/**
 * Returns the network whose failures count together: the address itself for IPv4, its /64 for IPv6, because one client
 * usually owns a whole /64.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) {
    return address;
  }
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) {
    return mapped;
  }
  const [plain = ''] = address.toLowerCase().split('%');
  const [head = '', tail] = plain.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const before = groups(head);
  const after = groups(tail ?? '');
  const all =
    tail === undefined
      ? before
      : [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
  return `${all
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Returns the name under which an account's failed sign-ins are counted. */
export const accountName = (userId: number): string => `account:${userId}`;
/** The same for passwords that are given again within a session: at a lock screen, before a change. */
export const ownName = (userId: number): string => `own:${userId}`;

interface Counter extends Failures {
  failedAt: EpochMs;
}

/** The origin of a try and the account that it is for. */
export interface Trier {
  /** The account's e-mail address; null if the try is not for an account's password. */
  email: string | null;
  address: string;
  /** The secret of the cookie `known`. */
  knownBrowser: string | undefined;
}

export interface Throttle {
  /**
   * Calls `prove` unless too many tries failed before, and counts the try as failed until `prove` returns a proof.
   * Rejects with 429 `too_many_tries`, with the same bytes whether or not the account exists. A known browser, and an
   * address from which somebody has signed in lately, is slowed and never shut out: then `prove` is called with true,
   * and the result comes after 5 s.
   */
  attempt<Proof>(trier: Trier, prove: (isSlowed: boolean) => Promise<Proof | null>): Promise<Proof | null>;
  /**
   * The same for a user who has a session. They have a counter of their own, so that a stranger at a locked screen
   * shuts no one out who signs in, and guesses at sign-in leave a locked screen to its user.
   */
  attemptOwn<Proof>(userId: number, prove: () => Promise<Proof | null>): Promise<Proof | null>;
  /**
   * Makes a browser known for a user who has just signed in from an address, and returns the secret of its cookie.
   * Keeps the given secret if it is this user's.
   */
  knowBrowser(userId: number, siteId: number, address: string, secret: string | undefined): Promise<string>;
  /** Resolves with the sites whose users have lately signed in from an address. */
  sitesAt(address: string): Promise<number[]>;
}

/**
 * Creates a throttle. The counters of accounts are stored, so that a restart does not reset them; those of fifteen
 * minutes are not. `key` is that of `throttleKey`.
 */
export function createThrottle(store: Store, key: Buffer, now: () => EpochMs, elapsed: () => number): Throttle {
  const { db } = store;
  // No other try may come between reading and writing a counter. This is the only process on its database.
  const queue = createSerialQueue();
  let sweptAt = 0;

  /** The counters that are not stored, null if one could not be deleted. They count instead of what is stored. */
  const kept = new Map<string, Counter | null>();
  /** The failures of the last fifteen minutes by where they came from: the user of a known browser, or the network. */
  const failed = new Map<string, { account: string | null; at: number }[]>();
  /** When a slowed try began, by where it came from and account: one at a time, and none waits for another account. */
  const slowed = new Map<string, number>();
  /** When users of a site have signed in last, by network and site. Read when it is first needed. */
  let signIns: Map<string, Map<number, EpochMs>> | null = null;

  const setBounded = <Value>(map: Map<string, Value>, name: string, value: Value): void => {
    const [oldest] = map.keys();
    if (map.size >= mostKept && oldest !== undefined && !map.has(name)) {
      map.delete(oldest);
    }
    map.set(name, value);
  };

  const failuresOf = (origin: string): { account: string | null; at: number }[] =>
    (failed.get(origin) ?? []).filter(({ at }) => elapsed() - at < longestMs);

  const noteSignIn = (address: string, siteId: number, at: EpochMs): void => {
    const network = networkOf(address);
    signIns?.set(network, (signIns.get(network) ?? new Map<number, EpochMs>()).set(siteId, at));
  };

  /** Returns the sites whose users have lately signed in from an address. */
  const sitesAt = async (address: string): Promise<number[]> => {
    if (signIns === null) {
      const rows = await db
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select(['ip', 'site_id', 'sessions.created_at'])
        .where('sessions.created_at', '>', now() - trustedMs)
        .orderBy('sessions.created_at')
        .execute();
      signIns = new Map();
      for (const { ip, site_id, created_at } of rows) {
        noteSignIn(ip ?? '', site_id, created_at);
      }
    }
    const known = [...(signIns.get(networkOf(address)) ?? [])];
    return known.filter(([, at]) => at > now() - trustedMs).map(([siteId]) => siteId);
  };

  const read = async (name: string): Promise<Counter | null> => {
    const unstored = kept.get(name);
    if (unstored !== undefined) {
      return unstored;
    }
    const row = await db.selectFrom('throttles').selectAll().where('name', '=', name).executeTakeFirst();
    return row === undefined
      ? null
      : { failures: row.failures, failedAt: row.failed_at, blockedUntil: row.blocked_until };
  };

  /** Stores a counter. While nothing can be stored it is kept in this process, and a restart forgets it. */
  const write = async (name: string, counter: Counter | null): Promise<void> => {
    try {
      await writeRow(name, counter);
      kept.delete(name);
    } catch (error) {
      if (!isStorageUnavailable(error)) {
        throw error;
      }
      setBounded(kept, name, counter);
    }
  };

  const writeRow = async (name: string, counter: Counter | null): Promise<void> => {
    if (counter === null) {
      await db.deleteFrom('throttles').where('name', '=', name).execute();
      return;
    }
    const row = { failures: counter.failures, failed_at: counter.failedAt, blocked_until: counter.blockedUntil };
    await db
      .insertInto('throttles')
      .values({ name, ...row })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute();
  };

  const count = async (name: string, isStored: boolean): Promise<void> => {
    const counter = { ...afterFailure(await read(name), now()), failedAt: now() };
    if (isStored) {
      await write(name, counter);
    } else {
      setBounded(kept, name, counter);
    }
  };

  /** Deletes counters without a failure for a day, except those of blocked accounts. */
  const sweep = async (): Promise<void> => {
    if (now() - sweptAt < 3_600_000) {
      return;
    }
    try {
      await db
        .deleteFrom('throttles')
        .where('failed_at', '<', now() - dayMs)
        .where('failures', '<', hardStopAt)
        .execute();
      sweptAt = now();
    } catch (error) {
      passOver(error);
    }
  };

  const blockedFor = async (name: string): Promise<number> => ((await read(name))?.blockedUntil ?? 0) - now();

  const refuseFor = (ms: number): void => {
    if (ms > 0) {
      const message = 'Too many tries failed. Wait before the next one, or ask for a new password.';
      const retryAfter = Math.ceil(Math.min(longestMs, ms) / 1_000);
      throw new HttpError(429, 'too_many_tries', message, { retryAfter });
    }
  };

  const userOf = async (email: string | null): Promise<number | null> =>
    email === null
      ? null
      : ((await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst())?.id ?? null);

  /** Returns the user for whom the browser with this secret is known; null if it is for none. */
  const userOfBrowser = async (secret: string | undefined): Promise<number | null> => {
    if (secret === undefined) {
      return null;
    }
    const row = await db
      .selectFrom('known_browsers')
      .innerJoin('users', 'users.id', 'known_browsers.user_id')
      .select('users.id')
      .where('token_hash', '=', hashSecret(secret))
      .where('used_at', '>', now() - browserKnownMs)
      .where('disabled_at', 'is', null)
      .executeTakeFirst();
    return row?.id ?? null;
  };

  return {
    attempt: async ({ email, address, knownBrowser }, prove) => {
      const userId = await userOf(email);
      const browserOf = await userOfBrowser(knownBrowser);
      // By user, so that a new cookie, by a right password of the guesser's own, brings no new count.
      const origin = browserOf === null ? networkOf(address) : `user:${browserOf}`;
      const account =
        email === null
          ? null
          : userId === null
            ? `email:${createHmac('sha256', key).update(email).digest('base64url')}`
            : accountName(userId);
      const counted = browserOf === null ? account : null;
      const pair = `${origin} ${account ?? ''}`;
      const failure = { account, at: elapsed() };
      const isSlowed = await queue(async () => {
        await sweep();
        const before = failuresOf(origin);
        const accounts = new Set(before.map((one) => one.account));
        const isOver = before.length >= freeOfOrigin.failures || accounts.size >= freeOfOrigin.accounts;
        const blockedMs = account === null ? 0 : await blockedFor(account);
        if (browserOf === null) {
          refuseFor(blockedMs);
          if (isOver && (await sitesAt(address)).length === 0) {
            refuseFor((before[0]?.at ?? 0) + longestMs - elapsed());
          }
        }
        const slows = isOver || blockedMs > 0;
        // Counted as failed beforehand, so that a thousand concurrent tries are not all checked.
        if (slows) {
          refuseFor((slowed.get(pair) ?? -slowMs) + slowMs - elapsed());
          setBounded(slowed, pair, elapsed());
        } else {
          setBounded(failed, origin, [...before, failure]);
        }
        if (counted !== null) {
          await count(counted, !(slows && userId === null));
        }
        return slows;
      });
      const forgive = (): void => {
        failed.set(
          origin,
          failuresOf(origin).filter((one) => one !== failure),
        );
      };
      const isOverdue = isSlowed ? pause(slowMs) : null;
      try {
        const proof = await prove(isSlowed);
        if (proof !== null) {
          forgive();
          // An account that others have blocked stays blocked for them, although its owner signed in.
          if (counted !== null) {
            await queue(() => write(counted, null));
          }
        }
        return proof;
      } catch (error) {
        // What was not looked at was no guess.
        if (!(error instanceof HttpError && error.status === 403)) {
          forgive();
        }
        throw error;
      } finally {
        await isOverdue;
      }
    },
    attemptOwn: async (userId, prove) => {
      const name = ownName(userId);
      await queue(async () => {
        refuseFor(await blockedFor(name));
        await count(name, true);
      });
      const proof = await prove();
      if (proof !== null) {
        await queue(() => write(name, null));
      }
      return proof;
    },
    knowBrowser: async (userId, siteId, address, held) => {
      await queue(() => sitesAt(address));
      noteSignIn(address, siteId, now());
      if (held !== undefined && (await userOfBrowser(held)) === userId) {
        await db
          .updateTable('known_browsers')
          .set({ used_at: now() })
          .where('token_hash', '=', hashSecret(held))
          .execute();
        return held;
      }
      const secret = randomBytes(32).toString('base64url');
      await db
        .insertInto('known_browsers')
        .values({ token_hash: hashSecret(secret), user_id: userId, created_at: now(), used_at: now() })
        .execute();
      await db
        .deleteFrom('known_browsers')
        .where('used_at', '<', now() - browserKnownMs)
        .execute();
      return secret;
    },
    sitesAt: (address) => queue(() => sitesAt(address)),
  };
}
