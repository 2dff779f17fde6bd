import type { Permission } from '../session/permissions';
import { can } from '../session/can';

/**
 * Returns whether a user gets the walkthrough: those who can open the dashboard, the patients and a patient's details.
 * Others and displays get none, and no record of one.
 */
export function canTour(user: { permissions: readonly Permission[] }): boolean {
  return can(user, 'readPatients');
}
