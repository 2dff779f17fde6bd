import { kinds } from '../vitals/kinds';
import { measuredRange } from '../vitals/kinds';
import type { CheckInReadings } from './schema';

export type ReadingKind = keyof CheckInReadings;

/** What was typed as a reading: nothing, a value in the unit of its kind, or what is wrong with it. */
export type TypedReading =
  | { value: number }
  | {
      fault: string;
      /** A number below those that can have been measured, which a very ill person's device may still show. */
      tooLow?: number;
    }
  | null;

/** The units that people write behind a number. Those of another scale are not there: they stay faults. */
const units: Readonly<Record<ReadingKind, RegExp>> = {
  spo2: /\s*(?:%|percent|per cent)$/i,
  pulseRate: /\s*(?:bpm|\/ ?min|per minute)$/i,
  respiratoryRate: /\s*(?:bpm|\/ ?min|per minute)$/i,
  temperature: /\s*[°º]? ?c$/i,
  weight: /\s*kgs?$/i,
};

/**
 * Returns what a typed reading says. A comma is a decimal point, and the unit may stand behind the number. A value that
 * cannot have been measured is a fault, so that a slip is neither an alarm nor a measurement. One that is too low is
 * still known: advice does not wait because a device shows less than the page takes.
 */
export function readTyped(kind: ReadingKind, text: string): TypedReading {
  const typed = text.trim().replace(',', '.').replace(units[kind], '');
  if (typed === '' && text.trim() === '') {
    return null;
  }
  const { min, max } = measuredRange(kind);
  const range = `Type a number from ${min} to ${max}${kinds[kind].unit === '/min' ? '' : ` ${kinds[kind].unit}`}.`;
  if (!/^\d{1,4}(\.\d{0,3})?$/.test(typed)) {
    return { fault: range };
  }
  const value = Number(typed);
  if (value < min) {
    return { fault: range, tooLow: value };
  }
  return value > max ? { fault: range } : { value };
}
