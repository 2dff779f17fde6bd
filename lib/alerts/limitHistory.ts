import { isChild } from '../patients/patientNews2';
import type { Patient } from '../patients/schema';
import { defaultSpo2Targets } from '../patients/spo2TargetSchema';
import type { EpochMs } from '../time/epochMs';
import type { ChartLimitStep } from './chartMarksSchema';
import type { RuleLimits, Spo2Scale } from './continuousRules';
import type { Limit } from './limit';
import { adjustableRules, ruleOf, type AdjustableRule, type LimitValues, type PatientLimits } from './limits';
import { spotLimits } from './spotRules';

/** Everything that was ever set and decides the limits of a patient. The lists are in the order of setting. */
export interface LimitFacts {
  profile: Patient['profile'];
  dateOfBirth: string;
  /** The patient's SpO2 scale now. */
  scale: Spo2Scale;
  /** The zone of the site, by which the age counts. */
  timeZone: string;
  limits: readonly {
    /** Set for this patient alone, not for the whole site. */
    isOwn: boolean;
    rule: string;
    /** Null: for both scales. */
    scale: Spo2Scale | null;
    values: LimitValues;
    setAt: EpochMs;
  }[];
  targets: readonly { scale: Spo2Scale; low: number; high: number; setAt: EpochMs }[];
  comfortCares: readonly { from: EpochMs; until: EpochMs }[];
}

type LimitLine = ChartLimitStep['lines'][number];
type LimitStep = Omit<ChartLimitStep, 'from'> & { from: EpochMs };

/**
 * The rules whose limits a chart shows: HIGH and MEDIUM ones that are not about a trend (screens.md section 4). On the
 * home profile the bands of `spotRules` apply.
 */
const drawnRules = [
  { rule: 'spo2.low', parameter: 'spo2', priority: 'high', onOxygen: false },
  { rule: 'spo2.desat', parameter: 'spo2', priority: 'high', onOxygen: false },
  { rule: 'spo2.below', parameter: 'spo2', priority: 'medium', onOxygen: false },
  { rule: 'spo2.over_o2', parameter: 'spo2', priority: 'medium', onOxygen: true },
  { rule: 'hr.extreme', parameter: 'rate', priority: 'high', onOxygen: false },
  { rule: 'hr.low', parameter: 'rate', priority: 'medium', onOxygen: false },
  { rule: 'hr.high', parameter: 'rate', priority: 'medium', onOxygen: false },
] as const satisfies readonly (Omit<LimitLine, keyof Limit> & { rule: AdjustableRule | 'spo2.desat' })[];

/**
 * Returns the target and the limits as they were at each instant between two, in order; the first step begins at
 * `from`. A scale that was replaced before it was ever set is taken for scale 1, the default. The profile counts as it
 * is now, because its changes are not kept.
 */
export function limitHistory(facts: LimitFacts, { from, to }: { from: EpochMs; to: EpochMs }): LimitStep[] {
  const changes = [
    ...facts.limits.map(({ setAt }) => setAt),
    ...facts.targets.map(({ setAt }) => setAt),
    ...facts.comfortCares.flatMap((care) => [care.from, care.until]),
  ];
  const instants = [from, ...new Set(changes.filter((at) => from < at && at < to))].sort((a, b) => a - b);
  const steps: LimitStep[] = [];
  let last = '';
  for (const at of instants) {
    const step = limitsAt(facts, at);
    const text = JSON.stringify(step);
    if (text !== last) {
      steps.push({ from: at, ...step });
      last = text;
    }
  }
  return steps;
}

/** Returns the target and the limits as they were at one instant. */
export function limitsAt(facts: LimitFacts, at: EpochMs): Omit<ChartLimitStep, 'from'> {
  const set = facts.targets.filter(({ setAt }) => setAt <= at).at(-1);
  const scale = set?.scale ?? (facts.targets.length === 0 ? facts.scale : 1);
  const { low, high } = set ?? defaultSpo2Targets[scale];
  return {
    scale,
    target: { low, high },
    isTargetConfirmed: set !== undefined,
    lines: facts.profile === 'home' ? homeLines(facts, scale, at) : wardLines(facts, scale, at),
  };
}

function wardLines(facts: LimitFacts, scale: Spo2Scale, at: EpochMs): LimitLine[] {
  const isUnder16 = isChild(facts.dateOfBirth, at, facts.timeZone);
  const ownLimits = setLimits(facts, scale, at, true);
  const ofSite = setLimits(facts, scale, at, false);
  const limits: PatientLimits = {};
  for (const rule of adjustableRules) {
    limits[rule] = { ...ofSite[rule], ...ownLimits[rule] };
  }
  const setting = {
    scale,
    limits,
    isComfortCare: facts.comfortCares.some((care) => care.from <= at && at < care.until),
    childLimits: isUnder16 ? ownLimits : null,
  };
  return drawnRules.flatMap(({ rule, ...shown }) => linesOf(ruleOf(rule, setting).limits, shown));
}

/** Returns the newest limits of each rule on a scale: the patient's own, or the site's. */
function setLimits(facts: LimitFacts, scale: Spo2Scale, at: EpochMs, isOwn: boolean): PatientLimits {
  const found: PatientLimits = {};
  const isSet = facts.limits.filter(
    (one) => one.isOwn === isOwn && one.setAt <= at && (one.scale === null || one.scale === scale),
  );
  for (const { rule, values } of isSet) {
    const known = adjustableRules.find((each) => each === rule);
    if (known !== undefined) {
      found[known] = values;
    }
  }
  return found;
}

/** Returns the bands for readings at home. Of a child's rate only an extremely low one counts (`spotPriority`). */
function homeLines(facts: LimitFacts, scale: Spo2Scale, at: EpochMs): LimitLine[] {
  const isUnder16 = isChild(facts.dateOfBirth, at, facts.timeZone);
  return (['spo2', 'rate'] as const).flatMap((parameter) =>
    (['high', 'medium'] as const)
      .flatMap((priority) => linesOf(spotLimits(parameter, scale, priority), { parameter, priority, onOxygen: false }))
      .filter(({ priority, is }) => parameter === 'spo2' || !isUnder16 || (priority === 'high' && is !== 'atLeast')),
  );
}

function linesOf(limits: RuleLimits | null, shown: Omit<LimitLine, keyof Limit>): LimitLine[] {
  return (limits?.raise ?? []).map(({ is, value }) => ({ ...shown, is, value }));
}
