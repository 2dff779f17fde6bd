import type { WhichShift } from '../../lib/assignments/schema';
import { parseShiftStarts, shiftAfter, shiftAt, type Shift } from '../../lib/assignments/shiftAt';

interface ShiftSite {
  timeZone: string;
  shiftStarts: string;
}

/** A shift is asked for with each poll for "mine" and is the same for hours. */
const last = new Map<string, Shift>();

/** The site's shift that is on at `now` (epoch milliseconds), or the one after it. */
export function shiftOf({ timeZone, shiftStarts }: ShiftSite, which: WhichShift, now: number): Shift {
  const key = `${timeZone} ${shiftStarts}`;
  const starts = parseShiftStarts(shiftStarts);
  let shift = last.get(key);
  if (shift === undefined || now < shift.start || now >= shift.end) {
    shift = shiftAt(now, timeZone, starts);
    last.set(key, shift);
  }
  switch (which) {
    case 'current':
      return shift;
    case 'next':
      return shiftAfter(shift, timeZone, starts);
    default:
      return which satisfies never;
  }
}
