import {
  continuousRules,
  type ContinuousRuleId,
  type RuleFacts,
  type RuleLimits,
  type Spo2Scale,
} from './continuousRules';
import type { Rule } from './plan';
import { moved } from './limit';

/** The limits that can be set for one patient on the low and the high side of a rule, in the kind's unit; null: off. */
export interface LimitValues {
  low?: number | null;
  high?: number | null;
}

/** The rules whose limits can be set. `spo2.desat` follows `spo2.low`, ten below it. */
export const adjustableRules = [
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

/** Returns whether a rule's limits differ between the SpO2 scales: then a limit is set for one scale. */
export function isByScale(rule: AdjustableRule): boolean {
  const { limits }: RuleFacts = continuousRules[rule];
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
  const facts: RuleFacts = continuousRules[rule];
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

/** Below the low limit minus this, a desaturation has no delay (clinical.md section 2.1). */
const desatBelow = 10;

/**
 * Returns a rule with the limits of a patient. A moved limit moves its clear value. The default applies if a HIGH limit
 * is off and comfort care has ended, or if a limit is out of bounds because the site changed them.
 */
export function ruleOf(
  id: ContinuousRuleId,
  {
    scale,
    limits,
    bounds,
    isComfortCare,
  }: { scale: Spo2Scale; limits: PatientLimits; bounds: LimitBounds; isComfortCare: boolean },
): Rule {
  const facts: RuleFacts = continuousRules[id];
  const own = id === 'spo2.desat' ? 'spo2.low' : adjustableRules.find((known) => known === id);
  const { priority, input, delayMs, holdMs, onOxygen } = facts;
  const rule: Rule = { id, priority, input, limits: facts.limits[scale], delayMs, holdMs, onOxygen: onOxygen === true };
  if (own === undefined || rule.limits === null) {
    return rule;
  }
  const wanted = limits[own] ?? {};
  const faults = limitFaults(own, wanted, { scale, bounds, isComfortCare });
  const low = faults.low === undefined ? wanted.low : undefined;
  const high = faults.high === undefined ? wanted.high : undefined;
  return { ...rule, limits: withSides(rule.limits, low, high, id === 'spo2.desat' ? desatBelow : 0) };
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
