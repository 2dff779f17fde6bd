import type { StripItem } from './stripSchema';

/** Returns where an alert of the strip is: "North · Bed 3", "Bed 3", "North", or "No bed". */
export function stripPlace({ unit, bed }: Pick<StripItem, 'unit' | 'bed'>): string {
  return bed === null ? (unit ?? 'No bed') : unit === null ? `Bed ${bed}` : `${unit} · Bed ${bed}`;
}
