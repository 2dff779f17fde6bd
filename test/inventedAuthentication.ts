import type { Authentication } from '../hooks/useAuthentication';

/** What the forms of people without a session are given, for tests that look at one of its steps. */
export function inventedAuthentication(change: Partial<Authentication> = {}): Authentication {
  const done = () => Promise.resolve(null);
  return { isWaiting: false, signIn: done, setUp: done, signUp: done, send: done, ...change };
}
