import { hash, verify } from '@node-rs/argon2';
import { HttpError } from '../http/httpError';
import { isCommonPassword } from './commonPassword';

/** Argon2id, 64 MiB, 3 passes, 1 lane: above OWASP's least, about 60 ms on a small server (security.md A1). */
const cost = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };
/** At most this many at once, so that a burst of sign-ins takes 256 MiB and not everything. */
const atOnce = 4;
const mayWait = 64;

/** A hash of the same cost that no password is known to have, for e-mail addresses without a user. */
const nobodysHash = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$d2FyZGxpZ2h0LW5vYm9keQ$${'A'.repeat(43)}`;

let common: Promise<ReadonlySet<string>> | null = null;
let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < atOnce) {
    running += 1;
  } else if (waiting.length < mayWait) {
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    throw new HttpError(503, 'busy', 'Too many people are signing in at this moment. Try again.', { retryAfter: 2 });
  }
  try {
    return await work();
  } finally {
    // A turn goes from hand to hand: were it given back first, a newcomer could take it as well as the one who waited.
    const next = waiting.shift();
    if (next === undefined) {
      running -= 1;
    } else {
      next();
    }
  }
}

/**
 * Takes a password and returns its Argon2id hash with salt and parameters in one text. Refuses with 503 when overrun.
 */
export async function hashPassword(password: string): Promise<string> {
  return await inTurn(() => hash(password.normalize('NFC'), cost));
}

/** Common passwords in lower case, read when somebody sets a password for the first time. */
export async function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']));
  return await common;
}

/**
 * Takes a password that somebody sets and returns its hash. `names` are the site's and the user's, which make no
 * password. Refuses with 422 one that is among the first to be guessed, with 503 when overrun.
 */
export async function hashNewPassword(password: string, names: readonly string[]): Promise<string> {
  if (isCommonPassword(password, await commonPasswords(), [...names, 'Wardlight'])) {
    throw new HttpError(422, 'invalid', 'This password is among the first that anybody would try.', {
      fields: { password: 'is among the first that anybody would try; take several words that do not belong together' },
    });
  }
  return await hashPassword(password);
}

/** Whether a hash was made at less cost than today's; whoever proves its password then gets a new one. */
export function isWeakHash(passwordHash: string): boolean {
  const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(passwordHash) ?? [];
  return Number(memory ?? 0) < cost.memoryCost || Number(time ?? 0) < cost.timeCost;
}

/**
 * Says whether a password is the one that was hashed. Without a hash (no such user) it works as long and says no, so
 * that the time does not tell which accounts exist. Refuses with 503 when overrun.
 */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const right = await inTurn(() => verify(passwordHash ?? nobodysHash, password.normalize('NFC')));
  return right && passwordHash !== null;
}
