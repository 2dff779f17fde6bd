import type { Authentication } from '../hooks/useAuthentication';

/** The props of the forms for people without a session, for tests of one of their steps. */
export function inventedAuthentication(change: Partial<Authentication> = {}): Authentication {
  const done = () => Promise.resolve(null);
  return { isWaiting: false, signIn: done, setUp: done, signUp: done, send: done, ...change };
}
