import type { z } from 'zod';
import type { EpochMs } from '../time/epochMs';
import type { storedTimer } from './storedEpisode';
import { gapLimits, inLimitMs } from './timing';

/**
 * The timer of one rule for one source. `since`: the start of the violation, moved on by silence that does not count;
 * for `active` the instant at which it became active. Epoch milliseconds.
 */
export type RuleTimer = z.infer<typeof storedTimer>;

export const idle: RuleTimer = Object.freeze({
  phase: 'idle',
  since: 0,
  from: 0,
  hasGap: false,
  inLimitSince: null,
  clearSince: null,
  unconfirmedUntil: null,
});

/** Returns whether a timer neither runs nor remembers anything. */
export const isIdle = ({ phase, recent }: RuleTimer): boolean => phase === 'idle' && recent === undefined;

export const withoutRecent = (timer: RuleTimer): RuleTimer =>
  timer.recent === undefined ? timer : { ...timer, recent: undefined };

/** A value of a source as a rule sees it. */
export interface RuleValue {
  /** When it was measured, epoch milliseconds. */
  at: EpochMs;
  /** Since the value before it, in milliseconds; infinite for the first. */
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
      return violates ? { ...idle, phase: 'pending', since: at, from: at } : state;
    case 'pending': {
      const { holds, cancels } = gapLimits(everyMs);
      const begun: RuleTimer = violates ? { ...idle, phase: 'pending', since: at, from: at } : idle;
      if (gapMs > cancels) {
        return begun;
      }
      const isSlow = everyMs > delayMs;
      const inLimitSince = state.inLimitSince ?? (violates ? null : at);
      if (inLimitSince !== null && (isSlow || at - inLimitSince > inLimitMs)) {
        return begun;
      }
      const isGap = gapMs > holds;
      const since = isGap ? state.since + gapMs : state.since;
      const hasGap = state.hasGap || isGap;
      if (violates && (isSlow || at - since >= delayMs)) {
        return { ...idle, phase: 'active', since: at, from: since, hasGap };
      }
      const next = violates ? null : inLimitSince;
      return since === state.since && next === state.inLimitSince
        ? state
        : { ...state, since, from: since, hasGap, inLimitSince: next };
    }
    case 'active': {
      if (!value.clears) {
        const unconfirmedUntil = violates ? null : state.unconfirmedUntil;
        const isGap = gapMs > gapLimits(everyMs).holds;
        return state.clearSince === null && unconfirmedUntil === state.unconfirmedUntil && !isGap
          ? state
          : { ...state, ...(isGap ? afterGap(state, at, gapMs) : {}), clearSince: null, unconfirmedUntil };
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

/** A silence is no part of the time of a condition that is still there after it. */
function afterGap({ from }: RuleTimer, at: EpochMs, gapMs: number): Pick<RuleTimer, 'from' | 'hasGap'> {
  // 0: unknown, as in the state of an earlier release. It stays so.
  return { from: from === 0 ? 0 : Math.min(at, from + gapMs), hasGap: true };
}
