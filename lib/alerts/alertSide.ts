import { roundVital } from '../vitals/roundVital';
import type { Alert } from './alert';
import type { Side } from './episode';
import type { Evidence } from './evidence';
import { isBeyond, type Limit } from './limit';

/** A trend compares two medians: its limit is a difference, whose sign says nothing about the side. */
const trends: Readonly<Record<string, Side | null>> = { 'spo2.drop': 'low', 'hr.jump': null };

/**
 * Returns the side of the limits on which the values were that raised an alert: that of its only limit, or of the one
 * that its newest values are beyond. Null if its rule evaluates no value, and if that is not known.
 */
export function alertSide({ rule }: Pick<Alert, 'rule'>, { limits, samples }: Evidence): Side | null {
  const trend = trends[rule];
  if (trend !== undefined) {
    return trend;
  }
  const raise = limits?.raise ?? [];
  const [first, ...others] = raise;
  if (first === undefined || others.length === 0) {
    return first === undefined ? null : sideOf(first);
  }
  for (const { kind, value } of samples) {
    const beyond = raise.find((limit) => isBeyond(limit, roundVital(kind, value)));
    if (beyond !== undefined) {
      return sideOf(beyond);
    }
  }
  return null;
}

function sideOf({ is }: Limit): Side {
  return is === 'atLeast' ? 'high' : 'low';
}
