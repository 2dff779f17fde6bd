import type { WhichShift } from '../../lib/assignments/schema';
import { parseShiftStarts, shiftAfter, shiftAt, type Shift } from '../../lib/assignments/shiftAt';
import type { EpochMs } from '../../lib/time/epochMs';

interface ShiftSite {
  timeZone: string;
  shiftStarts: string;
}

/** Caches the last shift: each poll for "mine" and each open alert ask for it, and it is the same for hours. */
const last = new Map<string, Shift>();

/** Returns the site's shift at `now`, or the one after it. */
export function shiftOf({ timeZone, shiftStarts }: ShiftSite, which: WhichShift, now: EpochMs): Shift {
  const key = `${timeZone} ${shiftStarts}`;
  let shift = last.get(key);
  if (shift === undefined || now < shift.start || now >= shift.end) {
    shift = shiftAt(now, timeZone, parseShiftStarts(shiftStarts));
    last.set(key, shift);
  }
  switch (which) {
    case 'current':
      return shift;
    case 'next':
      return shiftAfter(shift, timeZone, parseShiftStarts(shiftStarts));
    default:
      return which satisfies never;
  }
}
