import { consciousnessLevels, kinds, type VitalKind } from './kinds';

/**
 * Rounds half up to the kind's precision: the value that is shown is the value that is evaluated.
 * Takes a value in the kind's unit and returns it in the same unit (clinical.md section 1, "Rounding").
 */
export function roundVital(kind: VitalKind, value: number): number {
  const factor = 10 ** kinds[kind].precision;
  // The nudge rounds 38.05 (a double of 38.0499...) up; it is far below any device's resolution.
  return Math.floor(value * factor + 0.5 + 1e-9) / factor;
}

/** The value as text: fixed decimals of the kind, or the letter of ACVPU. */
export function formatVital(kind: VitalKind, value: number): string {
  if (kind === 'consciousness') {
    return consciousnessLevels[value] ?? '--';
  }
  return roundVital(kind, value).toFixed(kinds[kind].precision);
}
