import { nextEpisode, type Active, type Episode } from './episode';
import type { RuleInput, RuleLimits } from './continuousRules';
import type { Priority } from './priority';
import { isBeyondAll, isBeyondAny, type Limit } from './limit';
import type { Parameter } from './parameters';
import { idle, stepRule, type RuleState } from './stepRule';
import { gapLimits } from './timing';
import { closedMinute, stepTrend, type Trend } from './trend';

/** A rule as it holds for one patient. */
export interface Rule {
  id: string;
  priority: Priority;
  input: RuleInput;
  /** Null: off for this patient; what it told ends. */
  limits: RuleLimits | null;
  delayMs: number;
  holdMs: number;
  onOxygen: boolean;
}

/** One stream of values that is judged in the order of measuring, and what is judged of it. */
export interface Plan {
  /** Where its values come from: each keeps its own timers. */
  sources: readonly { expectedEveryMs: number; hasTrend: boolean; isOxygenFlow: boolean }[];
  /** What it can raise alerts about, with the rules that are the tiers of each. */
  groups: readonly RuleGroup[];
}

/** The rules that are the tiers of one parameter's alert. */
export interface RuleGroup {
  parameter: Parameter;
  rules: readonly Rule[];
  /** Between these two no value violates any of them. */
  calm: { above: number; below: number };
}

/** Takes the tiers of a parameter and returns them with what most values are: nothing to any of them. */
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

/** One value of a stream. */
export interface Entry {
  /**
   * Where it stands in the order: when it was measured by our clock, or became known if that was too late; epoch
   * milliseconds.
   */
  at: number;
  measuredAt: number;
  /** The place of its source in the plan. */
  source: number;
  deviceId: number;
  /** Rounded as it is displayed, in the kind's unit. */
  value: number;
  /** Whether the device doubts it. */
  isDoubtful: boolean;
}

/** What is known of a source from its values alone: rebuilt from samples and minutes after a restart. */
export interface Source {
  lastAt: number | null;
  /** Between its last two values, in milliseconds; null before there were two. */
  gapMs: number | null;
  trend: Trend | null;
}

/** Where the rules of one parameter stand: those of the first source, then those of the second. */
export interface Group {
  states: readonly RuleState[];
  /** No rule is pending or told. */
  isCalm: boolean;
  episode: Episode | null;
}

/** What only the values of long ago can tell: kept in the store. It is the same object until it changes. */
export interface Memory {
  groups: readonly Group[];
  /** L/min, 0 is air; null: never told. */
  oxygen: { flow: number; measuredAt: number } | null;
}

export interface Fold {
  sources: readonly Source[];
  memory: Memory;
}

/** Where a stream begins. */
export function emptyFold(plan: Plan): Fold {
  return {
    sources: plan.sources.map(() => ({ lastAt: null, gapMs: null, trend: null })),
    memory: {
      groups: plan.groups.map(({ rules }) => ({
        states: plan.sources.flatMap(() => rules.map(() => idle)),
        isCalm: true,
        episode: null,
      })),
      oxygen: null,
    },
  };
}

/** What a rule is asked about, and how the source's time runs. */
interface Question {
  at: number;
  gapMs: number;
  everyMs: number;
  input: Exclude<RuleInput, 'quality'>;
  value: number;
  isDoubtful: boolean;
  isOnOxygen: boolean;
}

/** Takes where a stream stands and its next value, in the order of measuring, and returns where it stands then. */
export function stepFold(plan: Plan, fold: Fold, entry: Entry): Fold {
  const { source: place, at } = entry;
  const facts = plan.sources[place];
  const before = fold.sources[place];
  if (facts === undefined || before === undefined) {
    throw new RangeError('a value of a source that the plan does not have');
  }
  if (facts.isOxygenFlow) {
    const { oxygen } = fold.memory;
    const isOld = oxygen !== null && oxygen.measuredAt > entry.measuredAt;
    return isOld
      ? fold
      : {
          sources: fold.sources,
          memory: { ...fold.memory, oxygen: { flow: entry.value, measuredAt: entry.measuredAt } },
        };
  }
  const gapMs = before.lastAt === null ? 0 : at - before.lastAt;
  // A device that is slower than it was said to be must not be silenced by its own gaps: two alike in a row are its
  // pace.
  const everyMs =
    before.gapMs === null ? facts.expectedEveryMs : Math.max(facts.expectedEveryMs, Math.min(before.gapMs, gapMs));
  const closed = before.trend === null ? null : closedMinute(before.trend, at);
  let { memory } = fold;
  if (closed !== null && closed.medians !== null) {
    const { day, recent } = closed.medians;
    const minute = { at: closed.at, gapMs: closed.gapMs, everyMs: 60_000, isDoubtful: false, isOnOxygen: false };
    memory = judge(plan, memory, place, { ...minute, input: 'drop', value: day - recent });
    memory = judge(plan, memory, place, { ...minute, input: 'jump', value: Math.abs(day - recent) });
  }
  const isOnOxygen = memory.oxygen !== null && memory.oxygen.flow > 0;
  const question: Question = {
    at,
    gapMs,
    everyMs,
    input: 'value',
    value: entry.value,
    isDoubtful: entry.isDoubtful,
    isOnOxygen,
  };
  memory = judge(plan, memory, place, question);
  memory = speakForSilent(plan, fold.sources, memory, place, question);
  return { sources: stepSources(plan, fold.sources, entry), memory };
}

/**
 * What a value says about its source, without asking the rules: with this alone a restart learns the pace of a feed
 * again.
 */
export function stepSources(plan: Plan, sources: readonly Source[], entry: Entry): readonly Source[] {
  const facts = plan.sources[entry.source];
  const before = sources[entry.source];
  if (facts === undefined || before === undefined || facts.isOxygenFlow) {
    return sources;
  }
  const after = sources.slice();
  after[entry.source] = {
    lastAt: entry.at,
    gapMs: before.lastAt === null ? null : entry.at - before.lastAt,
    trend: facts.hasTrend ? stepTrend(before.trend, entry.at, entry.value) : null,
  };
  return after;
}

function judge(plan: Plan, memory: Memory, source: number, question: Question): Memory {
  let changed: Group[] | null = null;
  for (let place = 0; place < plan.groups.length; place += 1) {
    const of = plan.groups[place];
    const group = memory.groups[place];
    // Nearly every value of a ward stops here.
    if (of !== undefined && group !== undefined && !(group.isCalm && saysNothing(of, question))) {
      const after = stepGroup(group, of.rules, source * of.rules.length, question);
      if (after !== group) {
        changed ??= memory.groups.slice();
        changed[place] = after;
      }
    }
  }
  return changed === null ? memory : { ...memory, groups: changed };
}

/**
 * What a source told that is off, no value of its own will ever end: the ECG was taken off, and the oximeter shows that
 * the heart is well again. Once it has been silent for so long that its timers are cancelled, the value of the other
 * source is asked about what it told.
 */
function speakForSilent(
  plan: Plan,
  sources: readonly Source[],
  memory: Memory,
  speaks: number,
  question: Question,
): Memory {
  let changed: Group[] | null = null;
  for (let place = 0; place < memory.groups.length; place += 1) {
    const of = plan.groups[place];
    const group = memory.groups[place];
    if (of === undefined || group === undefined || group.isCalm) {
      continue;
    }
    let after = group;
    for (let silent = 0; silent < sources.length; silent += 1) {
      if (silent !== speaks && isSilent(plan, sources, silent, question.at)) {
        after = endTold(after, of.rules, silent * of.rules.length, question);
      }
    }
    if (after !== group) {
      changed ??= memory.groups.slice();
      changed[place] = after;
    }
  }
  return changed === null ? memory : { ...memory, groups: changed };
}

function isSilent(plan: Plan, sources: readonly Source[], place: number, at: number): boolean {
  const source = sources[place];
  const every = Math.max(plan.sources[place]?.expectedEveryMs ?? 0, source?.gapMs ?? 0);
  return source !== undefined && source.lastAt !== null && at - source.lastAt > gapLimits(every).cancels;
}

/** Asks a value only about what is told; it begins nothing. */
function endTold(group: Group, rules: readonly Rule[], first: number, question: Question): Group {
  let changed: RuleState[] | null = null;
  for (let place = 0; place < rules.length; place += 1) {
    const rule = rules[place];
    const state = group.states[first + place];
    if (rule !== undefined && state?.phase === 'active' && isAsked(rule, question)) {
      const after = rule.limits === null ? idle : stepOne(state, rule, rule.limits, question);
      if (after !== state) {
        changed ??= group.states.slice();
        changed[first + place] = after;
      }
    }
  }
  if (changed === null) {
    return group;
  }
  const episode = nextEpisode(group.episode, activeOf(changed, rules), question.at, null);
  return { states: changed, isCalm: changed.every(isIdle), episode };
}

function saysNothing({ calm }: RuleGroup, { input, value, isDoubtful }: Question): boolean {
  return input === 'value' && !isDoubtful && value > calm.above && value < calm.below;
}

function stepGroup(group: Group, rules: readonly Rule[], first: number, question: Question): Group {
  let changed: RuleState[] | null = null;
  let hasEnded = false;
  for (let place = 0; place < rules.length; place += 1) {
    const rule = rules[place];
    const state = group.states[first + place];
    if (rule === undefined || state === undefined || !isAsked(rule, question)) {
      continue;
    }
    const after = rule.limits === null ? idle : stepOne(state, rule, rule.limits, question);
    if (after !== state) {
      changed ??= group.states.slice();
      changed[first + place] = after;
      hasEnded ||= state.phase === 'active' && after.phase === 'idle';
    }
  }
  if (changed === null && (group.episode === null || group.episode.endedAt !== null)) {
    return group;
  }
  if (hasEnded && changed !== null) {
    takeOver(changed, rules, first, question);
  }
  const states = changed ?? group.states;
  const isMeasured = rules.some(
    ({ input }, place) => input === question.input && input === 'value' && isActive(states[first + place]),
  );
  const episode = nextEpisode(group.episode, activeOf(states, rules), question.at, isMeasured ? question.value : null);
  return changed === null && episode === group.episode ? group : { states, isCalm: states.every(isIdle), episode };
}

const isIdle = ({ phase }: RuleState): boolean => phase === 'idle';
const isActive = (state: RuleState | undefined): boolean => state?.phase === 'active';

function isAsked(rule: Rule, { input }: Question): boolean {
  return rule.input === input || (rule.input === 'quality' && input === 'value');
}

function stepOne(state: RuleState, rule: Rule, limits: RuleLimits, question: Question): RuleState {
  const { at, gapMs, everyMs, isDoubtful } = question;
  if (rule.input === 'quality') {
    return stepRule(state, rule, { at, gapMs, everyMs, violates: isDoubtful, clears: !isDoubtful });
  }
  const applies = !rule.onOxygen || question.isOnOxygen;
  const violates = applies && isBeyondAny(limits.raise, question.value);
  if (state.phase === 'idle' && !violates) {
    return state;
  }
  // A doubtful value can raise an alert, because it may be true; it ends none, because it may not.
  const clears = !isDoubtful && (!applies || isBeyondAll(limits.clear, question.value));
  return stepRule(state, rule, { at, gapMs, everyMs, violates, clears });
}

/**
 * When the last told tier ends and a milder one is violated, the alert becomes milder instead of ending: the milder
 * one's time has been served.
 */
function takeOver(states: RuleState[], rules: readonly Rule[], first: number, { at, input }: Question): void {
  if (rules.some((rule, place) => rule.input === input && isActive(states[first + place]))) {
    return;
  }
  rules.forEach((rule, place) => {
    const state = states[first + place];
    if (rule.input === input && state?.phase === 'pending' && state.inLimitSince === null) {
      states[first + place] = { phase: 'active', since: at, inLimitSince: null, clearSince: null };
    }
  });
}

const nothing: readonly Active[] = [];

function activeOf(states: readonly RuleState[], rules: readonly Rule[]): readonly Active[] {
  let active: Active[] | null = null;
  for (let place = 0; place < states.length; place += 1) {
    const state = states[place];
    const rule = rules[place % rules.length];
    if (state?.phase === 'active' && rule !== undefined) {
      active ??= [];
      active.push({ rule: rule.id, priority: rule.priority, since: state.since });
    }
  }
  return active ?? nothing;
}
