import { hasSignal, type VitalKind } from '../vitals/kinds';
import type { Quality } from '../vitals/schema';
import { codeRow, isImpossible, isSilent, unitOf, type Code, type CodeRow } from './codes';
import type { Observation } from './readOru';
import { givenUnit, isSentinel, versionOne, type SenderSettings } from './senderSettings';

export type ReadValue =
  /** In the unit of the kind; `isCorrection`: it replaces what was sent for its time (OBX-11 C). */
  | { outcome: 'value'; kind: VitalKind; value: number; quality: Quality; isCorrection: boolean }
  /** The sender says that there is nothing to measure, or sends what is no value under the code of one. */
  | { outcome: 'noSignal'; kind: VitalKind }
  /** The sender takes the value of this time back. */
  | { outcome: 'withdraw'; kind: VitalKind }
  /** No table has the code; it is counted and can be mapped. */
  | { outcome: 'unmapped'; code: Code }
  /** A row that says nothing of a numeric: what contains what, or a curve. */
  | { outcome: 'containment' }
  | { outcome: 'refused'; kind: VitalKind; reason: 'training' | 'status' | 'text' | 'unit' };

export interface ReadValueOptions {
  /** The mappings of the site before the built-in table, which is used without. */
  lookUp?: (code: Code) => CodeRow | null;
  /** What two people have answered about the sender. */
  settings?: SenderSettings;
  /** The sender is on trial: TEST and DEMO say nothing of the value then. */
  isTrainingTaken?: boolean;
}

/** What monitors of several vendors write for "no value" (standards.md), beside negative numbers. */
const noValue = 32_767;

/** OBX-2 of curves. They come under the number of a numeric, which may have a signal or none. */
const arrayTypes: ReadonlySet<string> = new Set(['NA', 'MA']);

/** OBX-11 of what is said now, and not withdrawn or absent. */
export const valueStatuses: ReadonlySet<string> = new Set(['F', 'R', 'P', 'S', 'C']);

/**
 * Returns what one observation says of a vital sign: the table of issue 19, point 4.
 *
 * - OBX-11: F, R, P and S are values, C replaces, D and W withdraw, X and N are no signal also with a value beside
 *   them. Any other status, and none, is refused: a value without it may be a draft, or its line was damaged.
 * - Only a number is a value: empty, text, negative numbers and 32767 are no signal. The others go by `kinds`: what
 *   none of the kind's units makes possible is no signal without a unit too (127 for SpO2, 384.5 for a temperature).
 *   What the settings of the sender call "no signal" is that in any unit. Arrays (NA, MA) say nothing: neither a value
 *   nor that there is none.
 * - What comes under a text that has to be asked about is refused, but takes back what was sent for its time.
 * - OBX-8: INV and calibration (CAL) are invalid, QUES is questionable, NAV (not available) is no signal. None of them
 *   means good. TEST and DEMO are refused, unless the sender is on trial.
 */
export function readValue(observation: Observation, options: ReadValueOptions = {}): ReadValue {
  const { lookUp = codeRow, settings = versionOne, isTrainingTaken = false } = options;
  const { code, value, unit, status, flags } = observation;
  const row = lookUp(code);
  if (row === null) {
    return status === 'X' && value === null ? { outcome: 'containment' } : { outcome: 'unmapped', code };
  }
  if (arrayTypes.has(observation.valueType)) {
    return { outcome: 'containment' };
  }
  const { kind } = row;
  const noSignal: ReadValue = { outcome: 'noSignal', kind };
  if (!isTrainingTaken && (flags.includes('TEST') || flags.includes('DEMO'))) {
    return { outcome: 'refused', kind, reason: 'training' };
  }
  if (status === 'D' || status === 'W') {
    return { outcome: 'withdraw', kind };
  }
  if (row.isHeld === true) {
    return { outcome: 'refused', kind, reason: 'text' };
  }
  if (status === 'X' || status === 'N') {
    return noSignal;
  }
  if (!valueStatuses.has(status)) {
    return { outcome: 'refused', kind, reason: 'status' };
  }
  if (
    typeof value !== 'number' ||
    value < 0 ||
    value === noValue ||
    flags.includes('NAV') ||
    isSentinel(settings, code, kind, value)
  ) {
    return noSignal;
  }
  const given = givenUnit(settings, code, unit);
  const converted = convert(row, value, unit, given);
  if (converted === 'unit') {
    const isUnsaid = isSilent(unit) && given === '';
    return isUnsaid && isImpossible(kind, value) ? noSignal : { outcome: 'refused', kind, reason: converted };
  }
  if (!hasSignal(kind, converted) || (settings.isZeroRateNoSignal && kind === 'heartRate' && converted === 0)) {
    return noSignal;
  }
  return { outcome: 'value', kind, value: converted, quality: qualityOf(flags), isCorrection: status === 'C' };
}

/** Returns a number in the unit of what its code means, or that it is sent in another one (`unitOf`). */
export function convert(row: CodeRow, value: number, sentUnit: Code, given = ''): number | 'unit' {
  const unit = unitOf(row, sentUnit, given);
  return unit === null ? 'unit' : round(value * unit.factor + unit.offset);
}

function qualityOf(flags: readonly string[]): Quality {
  if (flags.includes('INV') || flags.includes('CAL')) {
    return 'invalid';
  }
  return flags.includes('QUES') ? 'questionable' : 'good';
}

/** Takes away what a conversion leaves behind the fourth decimal: 98.6 degF is 37 Cel. */
function round(value: number): number {
  const rounded = Math.round(value * 10_000) / 10_000;
  return rounded === 0 ? 0 : rounded;
}
