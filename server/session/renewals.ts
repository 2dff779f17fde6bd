import type { EpochMs } from '../../lib/time/epochMs';

/** The session that took the place of another one, and when. */
interface Renewal {
  token: string;
  at: EpochMs;
}

/** The sessions that took the place of others, until they are used. Lost with the process. */
interface Renewals {
  add(replaced: string, by: Renewal): void;
  of(replaced: string): Renewal | null;
  /** Takes a token that was just used, and returns the one in whose place it is: null after the first use. */
  used(token: string): string | null;
  /** A session has ended. */
  forget(token: string): void;
}

export function createRenewals(): Renewals {
  const byReplaced = new Map<string, Renewal>();
  const replacedBy = new Map<string, string>();
  return {
    add: (replaced, by) => {
      byReplaced.set(replaced, by);
      replacedBy.set(by.token, replaced);
    },
    of: (replaced) => byReplaced.get(replaced) ?? null,
    used: (token) => {
      const replaced = replacedBy.get(token) ?? null;
      replacedBy.delete(token);
      return replaced;
    },
    forget: (token) => {
      byReplaced.delete(token);
      replacedBy.delete(token);
    },
  };
}
