import { createHmac, randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { EpochMs } from '../../lib/time/epochMs';
import { createSerialQueue } from '../db/serialQueue';
import type { Store } from '../db/open';
import { isStorageUnavailable, passOver } from '../http/errors';
import { HttpError } from '../http/httpError';
import { hashSecret } from './sessions';

const freeFailures = 5;
/** The longest wait for the next try, in milliseconds. */
export const longestMs = 15 * 60_000;
/** After this many failures in a row an account accepts only known browsers (NIST SP 800-63B). */
const hardStopAt = 100;
const dayMs = 86_400_000;
/** Counters that are kept in this process at most: more than an installation has people. */
const mostKept = 10_000;
/** How long a browser stays known after a sign-in, in milliseconds. */
export const browserKnownMs = 180 * dayMs;

/** The failures in a row, and until when further tries are rejected. */
export interface Failures {
  failures: number;
  blockedUntil: EpochMs;
}

/**
 * Returns the failures of an account, an address or a known browser after one more failure at `now`. Five failures are
 * free, then each doubles the wait, from 2 s to 15 min. With `stops` the hundredth blocks for good.
 */
export function afterFailure(known: Failures | null, now: EpochMs, stops: boolean): Failures {
  const failures = (known?.failures ?? 0) + 1;
  if (stops && failures >= hardStopAt) {
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

interface NetworkCount {
  number: number;
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
   * Rejects with 429 `too_many_tries`, with the same bytes whether or not the account exists. A browser that the
   * account's owner has used before has its own count, so that failures elsewhere do not lock the owner out.
   */
  attempt<Proof>(trier: Trier, prove: () => Promise<Proof | null>): Promise<Proof | null>;
  /**
   * The same for a user who has a session. They have a counter of their own, so that a stranger at a locked screen
   * shuts no one out who signs in, and guesses at sign-in leave a locked screen to its user.
   */
  attemptOwn<Proof>(userId: number, prove: () => Promise<Proof | null>): Promise<Proof | null>;
  /**
   * Makes a browser known for a user and returns the secret of its cookie. Keeps the given secret if it is this user's.
   */
  knowBrowser(userId: number, secret: string | undefined): Promise<string>;
}

/**
 * Creates a throttle. Its counters are stored, so that a restart does not reset them. `key` is that of `throttleKey`.
 */
export function createThrottle(store: Store, key: Buffer, now: () => EpochMs): Throttle {
  const { db } = store;
  // No other try may come between reading and writing a counter. This is the only process on its database.
  const queue = createSerialQueue();
  let sweptAt = 0;

  /** The counters that could not be stored, null if one could not be deleted. They count instead of what is stored. */
  const kept = new Map<string, Counter | null>();

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
      if (!isStorageUnavailable(error) || (kept.size >= mostKept && !kept.has(name))) {
        throw error;
      }
      kept.set(name, counter);
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

  /** Counts a failure and returns the number. */
  const count = async (name: string, stops: boolean): Promise<number> => {
    const failed = afterFailure(await read(name), now(), stops);
    await write(name, { ...failed, failedAt: now() });
    return failed.failures;
  };

  /**
   * Counts a failure of a network and returns its number and when the one before it was. Many people may share a
   * network, and none of them wipes the failures of the others: one is forgiven in each 15 minutes without a failure.
   */
  const countNetwork = async (name: string): Promise<NetworkCount> => {
    const known = await read(name);
    const failedAt = known?.failedAt ?? now();
    const forgiven = Math.floor((now() - failedAt) / longestMs);
    if (known !== null && forgiven > 0) {
      await write(name, { ...known, failures: Math.max(0, known.failures - forgiven) });
    }
    return { number: await count(name, false), failedAt };
  };

  /** Takes back a failure of a network that was none. */
  const takeBack = async (name: string, { number, failedAt }: NetworkCount): Promise<void> => {
    const known = await read(name);
    if (known === null || known.failures <= 1) {
      await write(name, null);
      return;
    }
    // What failed after this one goes on blocking.
    const isLast = known.failures === number;
    const before = isLast ? { failedAt, blockedUntil: now() } : {};
    await write(name, { ...known, failures: known.failures - 1, ...before });
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

  const refuseBlocked = async (name: string): Promise<void> => {
    const known = await read(name);
    if (known !== null && known.blockedUntil > now()) {
      const seconds = Math.ceil(Math.min(longestMs, known.blockedUntil - now()) / 1_000);
      throw new HttpError(
        429,
        'too_many_tries',
        'Too many tries failed. Wait before the next one, or ask for a new password.',
        {
          retryAfter: seconds,
        },
      );
    }
  };

  const userOf = async (email: string | null): Promise<number | null> =>
    email === null
      ? null
      : ((await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst())?.id ?? null);

  /** Returns the name under which a known browser of this user is counted; null if the cookie is not theirs. */
  const knownName = async (userId: number | null, secret: string | undefined): Promise<string | null> => {
    if (userId === null || secret === undefined) {
      return null;
    }
    const row = await db
      .selectFrom('known_browsers')
      .select('token_hash')
      .where('token_hash', '=', hashSecret(secret))
      .where('user_id', '=', userId)
      .where('used_at', '>', now() - browserKnownMs)
      .executeTakeFirst();
    return row === undefined ? null : `known:${row.token_hash}`;
  };

  return {
    attempt: async ({ email, address, knownBrowser }, prove) => {
      const userId = await userOf(email);
      const own = await knownName(userId, knownBrowser);
      const network = `address:${networkOf(address)}`;
      const account =
        email === null
          ? null
          : userId === null
            ? `email:${createHmac('sha256', key).update(email).digest('base64url')}`
            : accountName(userId);
      const counted = own ?? account;
      const ofNetwork = await queue(async () => {
        await sweep();
        if (own === null) {
          await refuseBlocked(network);
        }
        if (counted !== null) {
          await refuseBlocked(counted);
          // Counted as failed beforehand, so that a thousand concurrent tries are not all checked.
          await count(counted, true);
        }
        return own === null ? await countNetwork(network) : null;
      });
      const spareNetwork = async (): Promise<void> => {
        if (ofNetwork !== null) {
          await takeBack(network, ofNetwork);
        }
      };
      const proof = await prove().catch(async (error: unknown) => {
        // What was not looked at was no guess.
        if (!(error instanceof HttpError && error.status === 403)) {
          await queue(spareNetwork);
        }
        throw error;
      });
      if (proof !== null) {
        await queue(async () => {
          await spareNetwork();
          // An account that others have blocked stays blocked for them, although its owner signed in.
          if (counted !== null) {
            await write(counted, null);
          }
        });
      }
      return proof;
    },
    attemptOwn: async (userId, prove) => {
      const name = ownName(userId);
      await queue(async () => {
        await refuseBlocked(name);
        await count(name, true);
      });
      const proof = await prove();
      if (proof !== null) {
        await queue(() => write(name, null));
      }
      return proof;
    },
    knowBrowser: async (userId, held) => {
      if (held !== undefined && (await knownName(userId, held)) !== null) {
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
  };
}
