import { z } from 'zod';
import { kinds, type VitalKind } from './kinds';
import { measuredRange } from './kinds';

/**
 * Returns the schema of the values that people may enter for a kind: those that can have been measured, which the
 * absence of a signal was not.
 */
export function measured(kind: Exclude<VitalKind, 'consciousness'>) {
  const { min, max } = measuredRange(kind);
  const message = `is not from ${min} to ${max} ${kinds[kind].unit}`;
  return z.number('is not a number').min(min, message).max(max, message).optional();
}
