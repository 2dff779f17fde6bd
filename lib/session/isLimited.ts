import type { UserType } from './userTypes';

/**
 * How far those who read patients reach (clinical.md section 9). In this file, and not in the matrix, because pages
 * that ask for nothing else would load the whole of it before their first numbers.
 */
export const readPatients = {
  nurse: 'unit',
  physician: 'site',
  respiratory_therapist: 'unit',
  ward_lead: 'site',
  viewer: 'unit',
} as const satisfies Partial<Record<UserType, 'unit' | 'site'>>;

interface Person {
  type: UserType;
  /** The user has no permission until somebody else confirms the account. */
  awaitsConfirmation?: boolean;
  units: readonly unknown[];
}

/** Returns whether a user reaches only the patients of their own units: users without a unit reach the whole site. */
export function isLimited({ type, awaitsConfirmation, units }: Person): boolean {
  const reach: Partial<Record<UserType, 'unit' | 'site'>> = readPatients;
  return awaitsConfirmation !== true && units.length > 0 && reach[type] === 'unit';
}
