import { unitKey } from '../units/unitKey';
import { isLimited } from './isLimited';
import type { User } from './schema';

/**
 * Returns whether the patients of a unit are a user's own, so that they may do more for them than emergency access
 * opens: reading and acknowledging. A patient without a unit (null) is everyone's.
 */
export function reachesUnit(user: Pick<User, 'type' | 'isAdmin' | 'units'>, unit: string | null): boolean {
  return unit === null || !isLimited(user) || user.units.some(({ name }) => unitKey(name) === unitKey(unit));
}
