import { kinds } from '../vitals/kinds';
import { measuredRange } from '../vitals/measuredRange';
import type { CheckInReadings } from './schema';

export type ReadingKind = keyof CheckInReadings;

/** What was typed as a reading: nothing, a value in the unit of its kind, or what is wrong with it. */
export type TypedReading = { value: number } | { fault: string } | null;

/**
 * Returns what a typed reading says. A comma is a decimal point. A value that cannot have been measured is a fault, so
 * that a slip is neither an alarm nor a measurement.
 */
export function readTyped(kind: ReadingKind, text: string): TypedReading {
  const typed = text.trim().replace(',', '.');
  if (typed === '') {
    return null;
  }
  const { min, max } = measuredRange(kind);
  const range = `Type a number from ${min} to ${max}${kinds[kind].unit === '/min' ? '' : ` ${kinds[kind].unit}`}.`;
  if (!/^\d{1,4}(\.\d{0,3})?$/.test(typed)) {
    return { fault: range };
  }
  const value = Number(typed);
  return value < min || value > max ? { fault: range } : { value };
}
