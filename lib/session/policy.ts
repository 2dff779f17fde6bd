import type { Permission } from './permissions';

/**
 * The users who may make a call, and what they reach with it.
 * - `anyone`: no session is looked at.
 * - `device`: a bearer token; reaches the patients of the device's site.
 * - `session`: any session; reaches the user alone. `whileLocked`: also a locked session, which every other call
 *   refuses with 423.
 * - `can`: a session whose user has this permission (`lib/session/permissions`); reaches what the permission reaches
 *   for that user (`scopeOf`).
 */
export type Policy =
  | { who: 'anyone' }
  | { who: 'device' }
  | { who: 'session'; whileLocked?: true }
  | { who: 'can'; permission: Permission };

export const anyone: Policy = { who: 'anyone' };
export const device: Policy = { who: 'device' };
export const signedIn: Policy = { who: 'session' };
export const signedInOrLocked: Policy = { who: 'session', whileLocked: true };
/** Returns the policy that admits users who have the permission. */
export const can = (permission: Permission): Policy => ({ who: 'can', permission });
