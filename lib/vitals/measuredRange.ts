import { kinds, type VitalKind } from './kinds';

/**
 * Returns between which values, in the unit of the kind, a kind can have been measured: those that are plausible, and
 * not the absence of a signal.
 */
export function measuredRange(kind: VitalKind): { min: number; max: number } {
  const { plausible, signalFrom } = kinds[kind];
  return { min: Math.max(plausible.min, signalFrom ?? plausible.min), max: plausible.max };
}
