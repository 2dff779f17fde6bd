import type { Permission } from './permissions';

/**
 * Returns whether a user has a permission. False until the user is known: an unknown user may do nothing. Pages use it
 * to choose what they offer; the server decides by its own policy table.
 */
export function can(user: { permissions: readonly Permission[] } | null, permission: Permission): boolean {
  return user?.permissions.includes(permission) ?? false;
}
