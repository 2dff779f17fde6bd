import { sameText } from '../http/csrf';
import type { Store } from '../db/open';
import { HttpError } from '../http/httpError';
import { alreadySetUp, hasNoUser } from './users';

/** The code that the server printed for the first person; null once there is a user. */
export interface Setup {
  code: string | null;
}

/**
 * Refuses with 409 `already_set_up` once there is a user, and with 403 `wrong_code` a code that the server did not
 * print. `given` is null where whoever calls has shown in another way that they run this server.
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
