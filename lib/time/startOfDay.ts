import { offsetAt } from './offsetAt';

/**
 * The instant (epoch milliseconds) at which a calendar day "2026-05-01" begins in a zone; `after` days later for the
 * end of one.
 */
export function startOfDay(date: string, timeZone: string, after = 0): number {
  const [year = 1970, month = 1, day = 1] = date.split('-').map(Number);
  const wall = Date.UTC(year, month - 1, day + after);
  // The zone's offset is computed twice, because the first estimate may lie on the other side of a clock change.
  const guess = wall - offsetAt(wall, timeZone);
  const start = wall - offsetAt(guess, timeZone);
  // Where clocks go forward at midnight, the day has no 00:00: that would still be the day before.
  return start + offsetAt(start, timeZone) < wall ? guess : start;
}
