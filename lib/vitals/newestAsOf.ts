import { parseInstant } from '../time/parseInstant';
import type { LatestValues } from './schema';

/**
 * Returns the instant from which the newest value of these patients counts, in epoch milliseconds; null if there is
 * none.
 */
export function newestAsOf(patients: readonly { latest: LatestValues }[]): number | null {
  let newest: number | null = null;
  for (const { latest } of patients) {
    for (const { asOf } of Object.values(latest)) {
      const instant = parseInstant(asOf);
      newest = instant !== null && (newest === null || instant > newest) ? instant : newest;
    }
  }
  return newest;
}
