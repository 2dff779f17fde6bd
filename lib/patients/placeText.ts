import { bedlessText } from './bedlessText';
import type { Patient } from './schema';

/** Returns where to find a patient: "East · Bed 4", "At home", or that it is not known. */
export function placeText({ location, profile }: Pick<Patient, 'location' | 'profile'>): string {
  if (location !== null) {
    return `${location.unit} · Bed ${location.bed}`;
  }
  return bedlessText(profile);
}
