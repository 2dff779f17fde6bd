import { paths } from '../paths';
import { can } from './can';
import type { Permission } from './permissions';

/**
 * Returns the page on which a user begins: the dashboard, or for users who see no patients the part of the
 * administration that they are here for (screens.md section 10).
 */
export function homeOf(user: { permissions: readonly Permission[] }): string {
  if (can(user, 'readPatients')) {
    return paths.dashboard;
  }
  return can(user, 'manageUsers') ? paths.adminUsers : can(user, 'readDevices') ? paths.adminDevices : paths.dashboard;
}
