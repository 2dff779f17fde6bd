import { z } from 'zod';
import { byId } from '../api/idParam';
import type { Calls } from '../api/declaration';
import { anyone, signedIn, signedInOrLocked } from '../session/policy';
import { ownPassword, signInBody, user } from './schema';

/** The session of a signed-in user. */
export const sessionCalls = {
  getCurrentUser: { method: 'GET', path: '/api/user/getCurrentUser', status: 200, who: signedIn, response: user },
  signIn: { method: 'POST', path: '/api/v2/auth/sign-in', status: 200, who: anyone, body: signInBody, response: user },
  signOut: { method: 'POST', path: '/api/v2/auth/sign-out', status: 204, who: signedInOrLocked, response: z.null() },
  noteInput: { method: 'POST', path: '/api/v2/auth/activity', status: 204, who: signedIn, response: z.null() },
  lock: { method: 'POST', path: '/api/v2/auth/lock', status: 204, who: signedIn, response: z.null() },
  unlock: {
    method: 'POST',
    path: '/api/v2/auth/unlock',
    status: 200,
    who: signedInOrLocked,
    body: ownPassword,
    response: user,
  },
  /** Before what asks for the password of a user who gave it more than 5 min ago (403 `password_needed`). */
  confirmPassword: {
    method: 'POST',
    path: '/api/v2/auth/confirm-password',
    status: 200,
    who: signedIn,
    body: ownPassword,
    response: user,
  },
  updateLastActive: {
    method: 'PUT',
    path: '/api/v2/users/updateLastActive/:id',
    status: 204,
    who: signedInOrLocked,
    params: byId,
    response: z.null(),
  },
} as const satisfies Calls;
