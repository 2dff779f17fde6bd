import { bedlessText } from './bedlessText';
import type { Patient } from './schema';

/** Returns where to find a patient in one short line, the bed first: "S3 · Step-down 2". */
export function bedText({ location, profile }: Pick<Patient, 'location' | 'profile'>): string {
  if (location !== null) {
    return `${location.bed} · ${location.unit}`;
  }
  return bedlessText(profile);
}
