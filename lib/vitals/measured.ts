import { z } from 'zod';
import { kinds, type VitalKind } from './kinds';

/**
 * Returns the schema of the values that people may enter for a kind: those that can have been measured, which the
 * absence of a signal was not.
 */
export function measured(kind: Exclude<VitalKind, 'consciousness'>) {
  const { plausible, signalFrom, unit } = kinds[kind];
  const min = Math.max(plausible.min, signalFrom ?? plausible.min);
  const message = `is not from ${min} to ${plausible.max} ${unit}`;
  return z.number('is not a number').min(min, message).max(plausible.max, message).optional();
}
