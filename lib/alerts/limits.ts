import {
  continuousRules,
  type ContinuousRuleId,
  type RuleFacts,
  type RuleLimits,
  type Spo2Scale,
} from './continuousRules';
import type { Rule } from './plan';
import { moved } from './limit';
import { defaultNews2Limits, news2Rules, type News2Limits } from './news2Rules';
import { confirmMs } from './stepNews2';

/** The limits that can be set for one patient on the low and the high side of a rule, in the kind's unit; null: off. */
export interface LimitValues {
  low?: number | null;
  high?: number | null;
}

/** The rules whose limits can be set. `spo2.desat` follows `spo2.low`, ten below it. */
export const adjustableRules = [
  'news2.high',
  'news2.aggregate',
  'spo2.low',
  'spo2.below',
  'spo2.over_o2',
  'spo2.mild',
  'spo2.over_o2_lo',
  'hr.extreme',
  'hr.high',
  'hr.low',
  'hr.fast',
] as const;
export type AdjustableRule = (typeof adjustableRules)[number];

export type PatientLimits = Partial<Record<AdjustableRule, LimitValues>>;

export interface Range {
  min: number;
  max: number;
}

/** The range of each limit. */
export type LimitBounds = Record<AdjustableRule, { low?: Range; high?: Range }>;

/**
 * The default ranges. Those of the HIGH rules: clinical.md section 2.4; the others are the plausible values of the
 * kind.
 */
export const defaultBounds: LimitBounds = {
  'news2.high': { high: { min: 5, max: 12 } },
  'news2.aggregate': { high: { min: 3, max: 10 } },
  'spo2.low': { low: { min: 80, max: 92 } },
  'spo2.below': { low: { min: 50, max: 99 } },
  'spo2.over_o2': { high: { min: 88, max: 100 } },
  'spo2.mild': { low: { min: 50, max: 99 } },
  'spo2.over_o2_lo': { high: { min: 88, max: 100 } },
  'hr.extreme': { low: { min: 30, max: 50 }, high: { min: 120, max: 180 } },
  'hr.high': { high: { min: 60, max: 220 } },
  'hr.low': { low: { min: 30, max: 100 } },
  'hr.fast': { high: { min: 60, max: 220 } },
};

/** The thresholds of the score: a physician alone sets them, and for one patient (clinical.md section 0, N1). */
export function isOfScore(rule: AdjustableRule): rule is 'news2.high' | 'news2.aggregate' {
  return rule === 'news2.high' || rule === 'news2.aggregate';
}

/** The rules whose limits can be set for a whole site. */
export const siteRules = adjustableRules.filter((rule) => !isOfScore(rule));

/** Returns the table's facts of a rule whose limits can be set. */
export function factsOfRule(rule: AdjustableRule | ContinuousRuleId): RuleFacts {
  if (rule === 'news2.high' || rule === 'news2.aggregate') {
    const { priority, limits } = news2Rules[rule];
    return { priority, input: 'value', limits: { 1: limits, 2: limits }, delayMs: confirmMs, holdMs: confirmMs };
  }
  return continuousRules[rule];
}

/**
 * The ranges of a child's extreme rates (clinical.md section 0, N3): what is usual at two years and at fifteen lies
 * further apart than among adults.
 */
export const childBounds: LimitBounds = {
  ...defaultBounds,
  'hr.extreme': { low: { min: 30, max: 100 }, high: { min: 120, max: 220 } },
};

/** Returns whether the limits of the extreme rates are those of this child: a physician has set both. */
export function hasRateLimits(own: PatientLimits): boolean {
  const { low = null, high = null } = own['hr.extreme'] ?? {};
  return low !== null && high !== null;
}

/** Returns whether a rule is about rates as adults have them. */
export function isOfRate(rule: string): boolean {
  return rule.startsWith('hr.');
}

/** Returns whether a rule's limits differ between the SpO2 scales: then a limit is set for one scale. */
export function isByScale(rule: AdjustableRule): boolean {
  const { limits } = factsOfRule(rule);
  return limits[1] !== limits[2];
}

export type LimitFault = 'out_of_bounds' | 'no_such_limit' | 'never_off' | 'not_for_this_scale';

/**
 * Returns what is wrong with each wanted limit of a patient, or an empty object. A HIGH limit is never off, except in
 * comfort care.
 */
export function limitFaults(
  rule: AdjustableRule,
  values: LimitValues,
  { scale, bounds, isComfortCare }: { scale: Spo2Scale; bounds: LimitBounds; isComfortCare: boolean },
): { low?: LimitFault; high?: LimitFault } {
  const facts = factsOfRule(rule);
  const faults: { low?: LimitFault; high?: LimitFault } = {};
  for (const side of ['low', 'high'] as const) {
    const value = values[side];
    const range = bounds[rule][side];
    if (value === undefined) {
      continue;
    }
    if (range === undefined) {
      faults[side] = 'no_such_limit';
    } else if (facts.limits[scale] === null) {
      faults[side] = 'not_for_this_scale';
    } else if (value === null) {
      if (facts.priority === 'high' && !isComfortCare) {
        faults[side] = 'never_off';
      }
    } else if (!Number.isInteger(value) || value < range.min || value > range.max) {
      faults[side] = 'out_of_bounds';
    }
  }
  return faults;
}

/** The settings of one patient that decide the limits of a rule. */
export interface LimitSetting {
  scale: Spo2Scale;
  limits: PatientLimits;
  isComfortCare: boolean;
  /** For a patient under 16: the limits that were set for this patient alone. The limits of adults' rates are off. */
  childLimits?: PatientLimits | null;
}

/** The sides that are off for a child until a physician sets them; an extremely low rate stays (N3). */
const offForChildren: Partial<Record<AdjustableRule | ContinuousRuleId, LimitValues>> = {
  'hr.extreme': { high: null },
  'hr.high': { high: null },
  'hr.low': { low: null },
  'hr.fast': { high: null },
};

/** Below the low limit minus this, a desaturation has no delay (clinical.md section 2.1). */
export const desatBelow = 10;

/**
 * Returns a rule with the limits of a patient. A moved limit moves its clear value. The default applies if a HIGH limit
 * is off and comfort care has ended, or if a limit is out of bounds because the site changed them.
 */
export function ruleOf(
  id: AdjustableRule | ContinuousRuleId,
  { scale, limits, isComfortCare, childLimits = null }: LimitSetting,
): Rule {
  const facts = factsOfRule(id);
  const own = id === 'spo2.desat' ? 'spo2.low' : adjustableRules.find((known) => known === id);
  const isChilds = childLimits !== null && isOfRate(id);
  const { priority, input, delayMs, holdMs, onOxygen } = facts;
  const rule: Rule = { id, priority, input, limits: facts.limits[scale], delayMs, holdMs, onOxygen: onOxygen === true };
  if (own === undefined || rule.limits === null) {
    return isChilds ? { ...rule, limits: null } : rule;
  }
  const wanted = isChilds ? { ...offForChildren[id], ...childLimits[own] } : (limits[own] ?? {});
  const bounds = childLimits === null ? defaultBounds : childBounds;
  const faults = limitFaults(own, wanted, { scale, bounds, isComfortCare });
  // What is off for a child is no fault; what is out of bounds is as if it were not set.
  const unset = isChilds ? offForChildren[id] : undefined;
  const low = faults.low === undefined ? wanted.low : unset?.low;
  const high = faults.high === undefined ? wanted.high : unset?.high;
  return { ...rule, limits: withSides(rule.limits, low, high, id === 'spo2.desat' ? desatBelow : 0) };
}

/** Returns the limits of the rules about the score as they hold for a patient. */
export function news2LimitsOf(setting: LimitSetting): News2Limits {
  return {
    ...defaultNews2Limits,
    'news2.high': ruleOf('news2.high', setting).limits,
    'news2.aggregate': ruleOf('news2.aggregate', setting).limits,
  };
}

/**
 * Moves or removes the two sides of a rule's limits; undefined leaves a side as it is. Returns null if no side is left.
 */
function withSides(
  limits: RuleLimits,
  low: number | null | undefined,
  high: number | null | undefined,
  less: number,
): RuleLimits | null {
  const kept = limits.raise.flatMap((raise) => {
    const isLow = raise.is !== 'atLeast';
    const wanted = isLow ? low : high;
    const clear = limits.clear.find(({ is }) => (is === 'atLeast') === isLow);
    if (wanted === null || clear === undefined) {
      return [];
    }
    const by = wanted === undefined ? 0 : wanted - less - raise.value;
    return [{ raise: moved(raise, by), clear: moved(clear, by) }];
  });
  return kept.length === 0 ? null : { raise: kept.map(({ raise }) => raise), clear: kept.map(({ clear }) => clear) };
}
