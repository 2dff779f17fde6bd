import type { EpochMs } from '../time/epochMs';
import type { Alert } from './alert';
import type { RuleInput, RuleLimits } from './continuousRules';
import { isBeyondAny, type Limit } from './limit';
import type { Parameter } from './parameters';
import type { Priority } from './priority';

/** A rule as it holds for one patient. */
export interface Rule {
  id: string;
  priority: Priority;
  input: RuleInput;
  /** Null: off for this patient; an active condition ends. */
  limits: RuleLimits | null;
  delayMs: number;
  holdMs: number;
  onOxygen: boolean;
}

/** One kind of values. */
export interface PlanSource {
  expectedEveryMs: number;
  hasTrend: boolean;
  isOxygenFlow: boolean;
  /** The source that is trusted more: while it is live and within a HIGH limit this one raises at most MEDIUM. */
  yieldsTo: number | null;
}

/** Which of two devices counts from `at` until `until`, and which one yields, as a person settled it. */
export type Settled = Pick<NonNullable<Alert['settled']>, 'counts' | 'yields' | 'at' | 'until'>;

/** One stream of values in the order of measuring, and the rules that evaluate it. */
export interface Plan {
  /** The sources of its values, one for each kind. Each device of a source keeps its own timers. */
  sources: readonly PlanSource[];
  /** The parameters that it can raise alerts about, each with its rules as tiers. */
  groups: readonly RuleGroup[];
  settled?: Settled | undefined;
}

/** The rules that are the tiers of one parameter's alert. */
export interface RuleGroup {
  parameter: Parameter;
  rules: readonly Rule[];
  /** A value between these two violates none of the rules. */
  calm: { above: number; below: number };
}

/**
 * Returns the tiers of a parameter with the range of values that violate none of them, which is where most values lie.
 */
export function groupOf(parameter: Parameter, rules: readonly Rule[]): RuleGroup {
  const raise = rules.filter(({ input }) => input === 'value').flatMap(({ limits }) => limits?.raise ?? []);
  const isHigh = ({ is }: Limit): boolean => is === 'atLeast';
  return {
    parameter,
    rules,
    calm: {
      above: Math.max(...raise.filter((limit) => !isHigh(limit)).map(({ value }) => value)),
      below: Math.min(...raise.filter(isHigh).map(({ value }) => value)),
    },
  };
}

/** Returns whether a value is beyond a limit of these priorities, but those that hold on oxygen alone. */
export function isBeyondRules(rules: readonly Rule[], priorities: readonly Priority[], value: number): boolean {
  return rules.some(
    ({ input, limits, priority, onOxygen }) =>
      input === 'value' && !onOxygen && priorities.includes(priority) && isBeyondAny(limits?.raise ?? [], value),
  );
}

/** One value of a stream. */
export interface Entry {
  /**
   * The place in the order: when it was measured by our clock, or when it arrived if that was too late; epoch
   * milliseconds.
   */
  at: EpochMs;
  measuredAt: EpochMs;
  /** The index of its source in the plan. */
  source: number;
  /** Below zero: a user typed it in. */
  deviceId: number;
  /** The device is assigned to the patient. */
  isAssigned: boolean;
  /** False: the device reports that it has no signal. The value means nothing then. */
  isValid: boolean;
  /** Rounded as it is displayed, in the kind's unit. */
  value: number;
  /** Whether the device doubts it, or says no longer whether it does. */
  isDoubtful: boolean;
  /** The device stated qualities and does no longer: its values end a condition after three times the hold. */
  hasStoppedStating: boolean;
}
