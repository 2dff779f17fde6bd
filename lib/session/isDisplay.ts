import type { UserType } from './userTypes';

/**
 * Returns whether a user is a screen on a wall and nothing else: no one is there to unlock it, so its session does not
 * end by itself. One that also administrates is an ordinary user.
 */
export function isDisplay({ type, isAdmin }: { type: UserType; isAdmin: boolean }): boolean {
  return type === 'display' && !isAdmin;
}
