import { paths } from '../paths';
import { can } from './can';
import type { Permission } from './permissions';

/**
 * Returns the page on which a user begins: the dashboard, for users who see no patients the part of the administration
 * that they are here for (screens.md section 10), for a display the wall.
 */
export function homeOf(user: { permissions: readonly Permission[] }): string {
  if (can(user, 'readPatients')) {
    return paths.dashboard;
  }
  if (can(user, 'manageUsers')) {
    return paths.adminUsers;
  }
  return can(user, 'readDevices') ? paths.adminDevices : can(user, 'readWall') ? paths.wall : paths.dashboard;
}
