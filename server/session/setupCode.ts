import { sameText } from '../http/csrf';
import type { Store } from '../db/open';
import { HttpError } from '../http/httpError';
import { alreadySetUp, hasNoUser } from './users';

/** The code that the server printed for its first user; null once there is a user. */
export interface Setup {
  code: string | null;
}

/**
 * Rejects with 409 `already_set_up` if there is a user, and with 403 `wrong_code` if the server did not print this
 * code. `given` is null if the caller has proved in another way that they run this server.
 */
export async function requireSetupCode(store: Store, { code }: Setup, given: string | null): Promise<void> {
  if (code === null || !(await hasNoUser(store))) {
    throw alreadySetUp();
  }
  if (given !== null && !sameText(given.toUpperCase(), code)) {
    throw new HttpError(403, 'wrong_code', 'This is not the code that the server printed when it started.', {
      fields: { code: 'is not the code that the server printed' },
    });
  }
}
