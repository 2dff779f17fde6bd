import { markTrial } from '../patients/markTrial';
import type { StripItem } from './stripSchema';

/** Returns where an alert of the strip is: "North · Bed 3", "Bed 3", "North", or "No bed". Trials are marked. */
export function stripPlace({ unit, bed, isTrial }: Pick<StripItem, 'unit' | 'bed' | 'isTrial'>): string {
  const place = bed === null ? (unit ?? 'No bed') : unit === null ? `Bed ${bed}` : `${unit} · Bed ${bed}`;
  return markTrial(place, { isTrial });
}
