import type { EpochMs } from '../time/epochMs';
import { gapLimits, inLimitMs } from './timing';

/**
 * The timer of one rule for one source. `since`: the start of the violation, moved on by silence that does not count;
 * for `active` the instant at which it became active. Epoch milliseconds.
 */
export interface RuleTimer {
  phase: 'idle' | 'pending' | 'active';
  since: EpochMs;
  /** Since when values have been within the limit again, while the timer still survives that. */
  inLimitSince: EpochMs | null;
  /** Since when the clear value has held. */
  clearSince: EpochMs | null;
}

export const idle: RuleTimer = Object.freeze({ phase: 'idle', since: 0, inLimitSince: null, clearSince: null });

/** A value of a source as a rule sees it. */
export interface RuleValue {
  /** When it was measured, epoch milliseconds. */
  at: EpochMs;
  /** Since the value before it, in milliseconds; 0 for the first. */
  gapMs: number;
  /** Between two values of this feed, in milliseconds. */
  everyMs: number;
  violates: boolean;
  clears: boolean;
}

/**
 * Takes a rule's timer and its next value in the order of measuring, and returns the timer after it: the same object if
 * nothing changed. A feed that is slower than the delay needs two violating values in a row instead of a time.
 */
export function stepRule(
  state: RuleTimer,
  { delayMs, holdMs }: { delayMs: number; holdMs: number },
  value: RuleValue,
): RuleTimer {
  const { at, gapMs, everyMs, violates } = value;
  switch (state.phase) {
    case 'idle':
      return violates ? { phase: 'pending', since: at, inLimitSince: null, clearSince: null } : state;
    case 'pending': {
      const { holds, cancels } = gapLimits(everyMs);
      const begun: RuleTimer = violates ? { phase: 'pending', since: at, inLimitSince: null, clearSince: null } : idle;
      if (gapMs > cancels) {
        return begun;
      }
      const isSlow = everyMs > delayMs;
      const inLimitSince = state.inLimitSince ?? (violates ? null : at);
      if (inLimitSince !== null && (isSlow || at - inLimitSince > inLimitMs)) {
        return begun;
      }
      const since = gapMs > holds ? state.since + gapMs : state.since;
      if (violates && (isSlow || at - since >= delayMs)) {
        return { phase: 'active', since: at, inLimitSince: null, clearSince: null };
      }
      const next = violates ? null : inLimitSince;
      return since === state.since && next === state.inLimitSince ? state : { ...state, since, inLimitSince: next };
    }
    case 'active': {
      if (!value.clears) {
        return state.clearSince === null ? state : { ...state, clearSince: null };
      }
      // What happened during a silence is unknown, so it is no part of a recovery.
      const clearSince = state.clearSince === null || gapMs > gapLimits(everyMs).holds ? at : state.clearSince;
      if (at - clearSince >= holdMs) {
        return idle;
      }
      return clearSince === state.clearSince ? state : { ...state, clearSince };
    }
    default:
      return state.phase satisfies never;
  }
}
