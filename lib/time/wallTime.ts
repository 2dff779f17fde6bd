import { offsetAt } from './offsetAt';

/** Returns what a zone's clocks show at an instant (epoch milliseconds), as a field takes it: "2026-03-07T14:05". */
export function toWallTime(at: number, timeZone: string): string {
  return new Date(at + offsetAt(at, timeZone)).toISOString().slice(0, 16);
}

/**
 * Returns the instant (epoch milliseconds) at which a zone's clocks show "2026-03-07T14:05"; null if that is no time.
 * Of a time that they show twice it is one of both, of one that they skip the same time after the change.
 */
export function fromWallTime(text: string, timeZone: string): number | null {
  const wall = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  return Number.isNaN(wall) ? null : wall - offsetAt(wall - offsetAt(wall, timeZone), timeZone);
}
