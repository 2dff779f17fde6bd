import { atLeast, atMost, below, type Limit } from './limit';
import type { Priority } from './priority';
import type { RuleId } from './ruleNames';

/** 1: target 94-98 %. 2: target 88-92 %, for a patient at risk of hypercapnic failure (clinical.md section 1). */
export type Spo2Scale = 1 | 2;

/** Any of `raise` violates the rule; it ends when all of `clear` hold. */
export interface RuleLimits {
  raise: readonly Limit[];
  clear: readonly Limit[];
}

/**
 * What a rule evaluates: each value in the kind's unit; once a minute the median of 15 minutes against that of 24 hours
 * (`drop`: how much lower, `jump`: how far away); whether the device doubts the signal; 1 while two devices disagree.
 */
export type RuleInput = 'value' | 'drop' | 'jump' | 'quality' | 'disagreement';

export interface RuleFacts {
  priority: Priority;
  input: RuleInput;
  /** By the patient's SpO2 scale; null if the rule is not for that scale. */
  limits: Record<Spo2Scale, RuleLimits | null>;
  /** How long the violation has to last before the rule raises an alert, in milliseconds. */
  delayMs: number;
  /** How long the clear value has to hold before the condition ends, in milliseconds. */
  holdMs: number;
  /** Applies only while the patient is known to breathe oxygen. */
  onOxygen?: true;
}

const second = 1_000;
const minute = 60 * second;
const both = (limits: RuleLimits): Record<Spo2Scale, RuleLimits> => ({ 1: limits, 2: limits });

/**
 * The continuous profile: clinical.md section 2.4, and 2.6 for the two rules about the signal. SpO2 in %, rates per
 * minute, perfusion index in %. The most urgent rule comes first. Each limit covers its whole side, so no value lies
 * between two tiers. A patient who gets worse keeps the time that the milder tier has counted.
 */
export const continuousRules = {
  // Ten below the low limit, as the low limit minus 10 of Masimo and Philips [S6][S8]; two samples, no delay.
  'spo2.desat': {
    priority: 'high',
    input: 'value',
    limits: { 1: { raise: [below(78)], clear: [atLeast(90)] }, 2: { raise: [below(75)], clear: [atLeast(87)] } },
    delayMs: 0,
    holdMs: 30 * second,
  },
  // 88 % with 15 s: the factory setting of Rad-97 [S6]; 85 % of alarms at 90 % without delay fall away [S18].
  'spo2.low': {
    priority: 'high',
    input: 'value',
    limits: { 1: { raise: [below(88)], clear: [atLeast(90)] }, 2: { raise: [below(85)], clear: [atLeast(87)] } },
    delayMs: 15 * second,
    holdMs: 30 * second,
  },
  // Scale 1: three points of NEWS2 [S1]. Scale 2: below the target.
  'spo2.below': {
    priority: 'medium',
    input: 'value',
    limits: { 1: { raise: [atMost(91)], clear: [atLeast(93)] }, 2: { raise: [atMost(87)], clear: [atLeast(88)] } },
    delayMs: 5 * minute,
    holdMs: minute,
  },
  // Scale 2: three points of NEWS2, only on oxygen.
  'spo2.over_o2': {
    priority: 'medium',
    input: 'value',
    limits: { 1: null, 2: { raise: [atLeast(97)], clear: [atMost(95)] } },
    delayMs: 10 * minute,
    holdMs: minute,
    onOxygen: true,
  },
  // Two points of NEWS2.
  'spo2.mild': {
    priority: 'low',
    input: 'value',
    limits: { 1: { raise: [atMost(93)], clear: [atLeast(94)] }, 2: null },
    delayMs: 15 * minute,
    holdMs: minute,
  },
  'spo2.over_o2_lo': {
    priority: 'low',
    input: 'value',
    limits: { 1: null, 2: { raise: [atLeast(93)], clear: [atMost(92)] } },
    delayMs: 30 * minute,
    holdMs: minute,
    onOxygen: true,
  },
  // A fall of three points asks for a review whatever the value is [S10].
  'spo2.drop': {
    priority: 'low',
    input: 'drop',
    limits: both({ raise: [atLeast(3)], clear: [atMost(2)] }),
    delayMs: 15 * minute,
    holdMs: 0,
  },
  // Two devices contradict each other (section 00, A6). It is over after 5 min of agreement.
  'spo2.disagree': {
    priority: 'medium',
    input: 'disagreement',
    limits: both({ raise: [atLeast(1)], clear: [atMost(0)] }),
    delayMs: minute,
    holdMs: 5 * minute,
  },
  'hr.extreme': {
    priority: 'high',
    input: 'value',
    limits: both({ raise: [atMost(40), atLeast(150)], clear: [atLeast(45), atMost(145)] }),
    delayMs: 15 * second,
    holdMs: 30 * second,
  },
  // Three points of NEWS2.
  'hr.high': {
    priority: 'medium',
    input: 'value',
    limits: both({ raise: [atLeast(131)], clear: [atMost(125)] }),
    delayMs: minute,
    holdMs: minute,
  },
  'hr.low': {
    priority: 'medium',
    input: 'value',
    limits: both({ raise: [atMost(45)], clear: [atLeast(50)] }),
    delayMs: minute,
    holdMs: minute,
  },
  // Two points of NEWS2.
  'hr.fast': {
    priority: 'low',
    input: 'value',
    limits: both({ raise: [atLeast(111)], clear: [atMost(105)] }),
    delayMs: 10 * minute,
    holdMs: minute,
  },
  'hr.jump': {
    priority: 'low',
    input: 'jump',
    limits: both({ raise: [atLeast(30)], clear: [below(20)] }),
    delayMs: 15 * minute,
    holdMs: 0,
  },
  // The device doubts its own value, because of motion or poor contact. This never holds back a rule about the patient.
  'signal.poor': {
    priority: 'low',
    input: 'quality',
    limits: both({ raise: [], clear: [] }),
    delayMs: minute,
    holdMs: 30 * second,
  },
  // Below 0.3 a pulse oximeter's value is marginal [S29].
  'signal.perfusion': {
    priority: 'low',
    input: 'value',
    limits: both({ raise: [below(0.3)], clear: [atLeast(0.3)] }),
    delayMs: minute,
    holdMs: minute,
  },
} as const satisfies Partial<Record<RuleId, RuleFacts>>;

export type ContinuousRuleId = keyof typeof continuousRules;
