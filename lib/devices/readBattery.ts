import type { Battery } from '../alerts/technicalRules';
import { safeParse } from '../safeParse';
import { wireBattery } from '../vitals/schema';

/**
 * Reads what an ingest call says about the sending device's battery, which may be anything. Returns it, or null if
 * nothing is said. `fault` is what is wrong with it, so that a wrong battery never costs the samples beside it.
 */
export function readBattery(raw: unknown): { battery: Battery | null; fault?: string } {
  if (raw === undefined || raw === null) {
    return { battery: null };
  }
  const parsed = safeParse(wireBattery, raw);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => ['battery', ...path].join('.') + ` ${message}`);
    return { battery: null, fault: faults.join('; ') };
  }
  const { percent = null, minutesLeft = null } = parsed.data;
  if (percent === null && minutesLeft === null) {
    return { battery: null, fault: 'battery says neither percent nor minutesLeft' };
  }
  return { battery: { percent, minutesLeft } };
}
