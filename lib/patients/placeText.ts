import type { Patient } from './schema';

/** Where a patient is to be found: "East, 4", "At home", or that nobody has said. */
export function placeText({ location, profile }: Pick<Patient, 'location' | 'profile'>): string {
  if (location !== null) {
    return `${location.unit}, ${location.bed}`;
  }
  return profile === 'home' ? 'At home' : 'No bed';
}
