import type { EpochMs } from './epochMs';
import { offsetAt } from './offsetAt';

/** Zones change their offset at a quarter of an hour. */
const quarterMs = 15 * 60_000;

/**
 * Returns a function that writes instants as the clocks of a zone show them, with their offset:
 * "2026-05-01T12:00:00.250+02:00". It asks for the offset once a quarter of an hour, because a file has 500,000 times.
 */
export function createSiteInstant(timeZone: string): (at: EpochMs) => string {
  let quarter = Number.NaN;
  let offsetMs = 0;
  let suffix = '';
  return (at) => {
    const of = Math.floor(at / quarterMs);
    if (of !== quarter) {
      quarter = of;
      offsetMs = offsetAt(at, timeZone);
      suffix = `${offsetMs < 0 ? '-' : '+'}${new Date(Math.abs(offsetMs)).toISOString().slice(11, 16)}`;
    }
    return new Date(at + offsetMs).toISOString().slice(0, -1) + suffix;
  };
}
