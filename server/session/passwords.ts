import { hash, verify } from '@node-rs/argon2';
import { HttpError, invalid } from '../http/httpError';
import { isCommonPassword } from './commonPassword';

/** What a hash costs to compute, and to guess: KiB of memory, and how often all of it is passed over. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
}

/** Argon2id, 64 MiB, 3 passes, 1 lane: above OWASP's minimum, about 60 ms on a small server (security.md A1). */
const productCost: PasswordCost = { memoryCost: 65_536, timeCost: 3 };
/** The most hashes computed at once, so that a burst of sign-ins takes at most 256 MiB of memory. */
const maxRunning = 4;
const maxWaiting = 64;

let common: Promise<ReadonlySet<string>> | null = null;
let running = 0;
const waiting: (() => void)[] = [];

async function limited<T>(work: () => Promise<T>): Promise<T> {
  if (running < maxRunning) {
    running += 1;
  } else if (waiting.length < maxWaiting) {
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    throw new HttpError(503, 'busy', 'Too many people are signing in at this moment. Try again.', { retryAfter: 2 });
  }
  try {
    return await work();
  } finally {
    // The slot passes directly to the next in line. If it were freed first, a newcomer could take it too.
    const next = waiting.shift();
    if (next === undefined) {
      running -= 1;
    } else {
      next();
    }
  }
}

/** Returns common passwords in lower case. The list is loaded when it is first needed. */
export async function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']));
  return await common;
}

/** Makes and checks the hashes of passwords. All of it rejects with 503 if too many hashes are waiting. */
export interface Passwords {
  /** Returns the Argon2id hash of a password, with salt and parameters. */
  hash(password: string): Promise<string>;
  /**
   * Returns the hash of a new password. `names` are the site's and the user's. Rejects with 422 if the password is easy
   * to guess from these or from common passwords.
   */
  hashNew(password: string, names: readonly string[]): Promise<string>;
  /** Returns whether a hash was made at a lower cost than today's. It is renewed when its user next signs in. */
  isWeak(passwordHash: string): boolean;
  /**
   * Returns whether a password matches a hash. Without a hash (no such user) it takes the same time and returns false,
   * so that the time does not reveal which accounts exist.
   */
  isRight(password: string, passwordHash: string | null): Promise<boolean>;
}

/** Only tests take another cost than the product's (`AppParts`). */
export function createPasswords({ memoryCost, timeCost }: PasswordCost = productCost): Passwords {
  /** A hash of the same cost that no known password has, for e-mail addresses without a user. */
  const unknownUserHash = [
    '$argon2id$v=19',
    `m=${memoryCost},t=${timeCost},p=1`,
    'd2FyZGxpZ2h0LW5vYm9keQ',
    'A'.repeat(43),
  ].join('$');
  const passwords: Passwords = {
    hash: (password) => limited(() => hash(password.normalize('NFC'), { memoryCost, timeCost, parallelism: 1 })),
    hashNew: async (password, names) => {
      if (isCommonPassword(password, await commonPasswords(), [...names, 'Wardlight'])) {
        const words = 'is among the first that anybody would try; take several words that do not belong together';
        throw invalid({ password: words }, 'This password is among the first that anybody would try.');
      }
      return await passwords.hash(password);
    },
    isWeak: (passwordHash) => {
      const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(passwordHash) ?? [];
      return Number(memory ?? 0) < memoryCost || Number(time ?? 0) < timeCost;
    },
    isRight: async (password, passwordHash) => {
      const right = await limited(() => verify(passwordHash ?? unknownUserHash, password.normalize('NFC')));
      return right && passwordHash !== null;
    },
  };
  return passwords;
}
