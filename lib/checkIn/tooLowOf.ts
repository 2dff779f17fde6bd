import { readTyped } from './readTyped';
import { readingKinds, type TypedCheckIn } from './typedCheckIn';
import type { CheckInReadings } from './schema';

/**
 * Returns the readings that are typed and lower than any that the page takes. They are not sent, but they may be true:
 * the limits decide whether somebody has to call.
 */
export function tooLowOf(readings: TypedCheckIn['readings']): CheckInReadings {
  const low: CheckInReadings = {};
  for (const kind of readingKinds) {
    const typed = readTyped(kind, readings[kind]);
    if (typed !== null && 'tooLow' in typed && typed.tooLow !== undefined) {
      low[kind] = typed.tooLow;
    }
  }
  return low;
}
