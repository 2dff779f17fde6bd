import { offsetAt } from '../time/offsetAt';

/** The start and end of a shift, epoch milliseconds; the end is the next one's start. */
export interface Shift {
  start: number;
  end: number;
}

const dayMs = 86_400_000;

/**
 * Returns the shift at `now` (epoch milliseconds) if shifts begin at the times of day `starts` ("07:30") of the zone.
 * The starts of a day are instants of its own, so a shift over a change of the clocks is an hour longer or shorter. A
 * start that the clocks skip is as much later as they skip; of a start that occurs twice the first counts. Throws on
 * invalid times.
 */
export function shiftAt(now: number, timeZone: string, starts: readonly string[]): Shift {
  const times = starts.map(minutesOf);
  // Neighbouring days suffice: no zone is further from UTC than 14 h, and each day has at least one start.
  const today = Math.floor((now + offsetAt(now, timeZone)) / dayMs);
  const instants = [-2, -1, 0, 1, 2]
    .flatMap((day) => times.map((minutes) => instantOf((today + day) * dayMs + minutes * 60_000, timeZone)))
    .sort((a, b) => a - b);
  const start = instants.findLast((instant) => instant <= now);
  const end = instants.find((instant) => instant > now);
  if (start === undefined || end === undefined) {
    throw new RangeError('a site needs at least one start of a shift');
  }
  return { start, end };
}

/** The shift after a shift. */
export function shiftAfter({ end }: Shift, timeZone: string, starts: readonly string[]): Shift {
  return shiftAt(end, timeZone, starts);
}

/** Parses "07:30,19:30", the form in which a site keeps the starts of its shifts. */
export function parseShiftStarts(text: string): string[] {
  return text.split(',').map((start) => start.trim());
}

function minutesOf(time: string): number {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time);
  if (match === null) {
    throw new RangeError('a start of a shift is no time of day');
  }
  return Number(match[1]) * 60 + Number(match[2]);
}

/** The instant at which clocks of the zone show `wall`, a time written as if it were UTC. */
function instantOf(wall: number, timeZone: string): number {
  const before = wall - offsetAt(wall - dayMs, timeZone);
  const after = wall - offsetAt(wall + dayMs, timeZone);
  const shown = [before, after].filter((instant) => instant + offsetAt(instant, timeZone) === wall);
  return shown.length > 0 ? Math.min(...shown) : before;
}
