import { atLeast, atMost } from './limit';
import type { RuleLimits } from './continuousRules';
import type { News2PartName } from './news2Values';
import type { Priority } from './priority';
import type { RuleId } from './ruleNames';

/** A rule about NEWS2: about the sum, or with `part` about one part that has three points by itself. */
interface News2Rule {
  priority: Priority;
  part: News2PartName | null;
  limits: RuleLimits;
  /** A single value is enough, and it is no score: it holds where NEWS2 does not apply. A monitor has to show two. */
  isOfOneValue?: true;
}

/**
 * The rules about the score, the most urgent first: clinical.md section 0, N1. The sum in points; respiratory rate per
 * minute, systolic pressure in mmHg, temperature in degrees Celsius; consciousness by its place in ACVPU, 0 is alert.
 * SpO2 and the pulse have rules of their own. Those of one value: section 00, A5; they clear where N1 does.
 */
export const news2Rules = {
  'news2.unresponsive': {
    priority: 'high',
    part: 'consciousness',
    limits: { raise: [atLeast(3)], clear: [atMost(0)] },
    isOfOneValue: true,
  },
  'news2.extremeRespiratoryRate': {
    priority: 'high',
    part: 'respiratoryRate',
    limits: { raise: [atMost(8), atLeast(35)], clear: [atLeast(10), atMost(22)] },
    isOfOneValue: true,
  },
  'news2.extremeSystolic': {
    priority: 'high',
    part: 'systolic',
    limits: { raise: [atMost(70)], clear: [atLeast(95)] },
    isOfOneValue: true,
  },
  'news2.extremeTemperature': {
    priority: 'high',
    part: 'temperature',
    // From 39.1 the score has two points.
    limits: { raise: [atMost(32), atLeast(41)], clear: [atLeast(35.5), atMost(39)] },
    isOfOneValue: true,
  },
  'news2.high': { priority: 'high', part: null, limits: { raise: [atLeast(7)], clear: [atMost(5)] } },
  'news2.aggregate': { priority: 'medium', part: null, limits: { raise: [atLeast(5)], clear: [atMost(3)] } },
  'news2.consciousness': {
    priority: 'medium',
    part: 'consciousness',
    limits: { raise: [atLeast(1)], clear: [atMost(0)] },
  },
  'news2.respiratoryRate': {
    priority: 'medium',
    part: 'respiratoryRate',
    limits: { raise: [atMost(8), atLeast(25)], clear: [atLeast(10), atMost(22)] },
  },
  'news2.systolic': {
    priority: 'medium',
    part: 'systolic',
    limits: { raise: [atMost(90), atLeast(220)], clear: [atLeast(95), atMost(210)] },
  },
  'news2.temperature': {
    priority: 'medium',
    part: 'temperature',
    limits: { raise: [atMost(35)], clear: [atLeast(35.5)] },
  },
} as const satisfies Partial<Record<RuleId, News2Rule>>;

export type News2RuleId = keyof typeof news2Rules;
export const news2RuleIds = Object.keys(news2Rules) as News2RuleId[];

/** The limits of the rules as they hold for a patient; null: off. */
export type News2Limits = Readonly<Record<News2RuleId, RuleLimits | null>>;

/** The limits without those of a patient. */
export const defaultNews2Limits: News2Limits = limitsBy((id) => news2RuleOf(id).limits);

/** Returns the limits of a patient to whom NEWS2 does not apply: only those of single values (section 00, A5). */
export function withoutScore(limits: News2Limits): News2Limits {
  return limitsBy((id) => (news2RuleOf(id).isOfOneValue === true ? limits[id] : null));
}

function limitsBy(limitsOf: (id: News2RuleId) => RuleLimits | null): News2Limits {
  return Object.fromEntries(news2RuleIds.map((id) => [id, limitsOf(id)])) as Record<News2RuleId, RuleLimits | null>;
}

/** Returns a rule by its id, for loops over all of them. */
export function news2RuleOf(id: News2RuleId): News2Rule {
  return news2Rules[id];
}
