import type { EpochMs } from '../time/epochMs';
import { idle, type RuleTimer } from './stepRule';
import { confirmedAfterMs } from './timing';

/** A single value, which was typed in or comes from a slow feed, as a rule of HIGH priority sees it. */
export interface SpotValue {
  /** When it was measured, and when it could be known, epoch milliseconds. */
  at: EpochMs;
  knownAt: EpochMs;
  violates: boolean;
  /** It violates by so much that it waits for no second one (clinical.md section 00, A5). */
  isCertain: boolean;
  /** It is within the limit for certain. */
  isWithin: boolean;
  clears: boolean;
}

/**
 * Takes the timer of a HIGH rule and a single value, and returns the timer after it (clinical.md section 0, S1). The
 * first value beyond the limit raises, not confirmed. A second one confirms it, or ends it without a hold if it is
 * within the limit; after a quarter of an hour without one it is confirmed. From then on one value at the clear limit
 * ends it.
 */
export function stepSpotRule(
  state: RuleTimer,
  { at, knownAt, violates, isCertain, isWithin, clears }: SpotValue,
): RuleTimer {
  switch (state.phase) {
    case 'idle':
      return violates
        ? {
            ...{ ...idle, phase: 'active', since: at, from: at },
            unconfirmedUntil: isCertain ? null : knownAt + confirmedAfterMs,
          }
        : state;
    case 'pending':
      // It was violated before, when its feed was fast: this is not the first value.
      return violates ? { ...idle, phase: 'active', since: at, from: state.from, hasGap: state.hasGap } : idle;
    case 'active': {
      if (isUnconfirmed(state, knownAt)) {
        return violates ? { ...state, unconfirmedUntil: null } : isWithin ? idle : state;
      }
      return clears ? idle : state;
    }
    default:
      return state.phase satisfies never;
  }
}

/** Returns whether a condition, or its alert, still waits for a second value at `now`. */
export function isUnconfirmed({ unconfirmedUntil }: Pick<RuleTimer, 'unconfirmedUntil'>, now: EpochMs): boolean {
  return unconfirmedUntil !== null && now < unconfirmedUntil;
}
