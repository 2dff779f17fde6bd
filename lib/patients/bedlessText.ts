import type { Patient } from './schema';

/**
 * Returns what is shown in the place of a bed for a patient without one, who at home needs none. A screen that may not
 * know the profile, such as the strip of a locked session, says "No bed" of both.
 */
export function bedlessText(profile: Patient['profile']): string {
  return profile === 'home' ? 'At home' : 'No bed';
}
