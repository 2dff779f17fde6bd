import { nextEpisode, type Active, type Episode } from './episode';
import type { RuleInput, RuleLimits } from './continuousRules';
import type { Priority } from './priority';
import { isBeyondAll, isBeyondAny, type Limit } from './limit';
import type { Parameter } from './parameters';
import { idle, stepRule, type RuleTimer } from './stepRule';
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
  states: readonly RuleTimer[];
  /** No rule is pending or told. */
  isCalm: boolean;
  episode: Episode | null;
}

/** What only the values of long ago can tell: kept in the store. It is the same object until it changes. */
export interface StreamState {
  groups: readonly Group[];
  /** L/min, 0 is air; null: never told. */
  oxygen: { flow: number; measuredAt: number } | null;
}

export interface Fold {
  sources: readonly Source[];
  state: StreamState;
}

/** Where a stream begins. */
export function emptyFold(plan: Plan): Fold {
  return {
    sources: plan.sources.map(() => ({ lastAt: null, gapMs: null, trend: null })),
    state: {
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
interface Evaluated {
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
  const { source: index, at } = entry;
  const facts = plan.sources[index];
  const before = fold.sources[index];
  if (facts === undefined || before === undefined) {
    throw new RangeError('a value of a source that the plan does not have');
  }
  if (facts.isOxygenFlow) {
    const { oxygen } = fold.state;
    const isOld = oxygen !== null && oxygen.measuredAt > entry.measuredAt;
    return isOld
      ? fold
      : {
          sources: fold.sources,
          state: { ...fold.state, oxygen: { flow: entry.value, measuredAt: entry.measuredAt } },
        };
  }
  const gapMs = before.lastAt === null ? 0 : at - before.lastAt;
  // A device that is slower than it was said to be must not be silenced by its own gaps: two alike in a row are its
  // pace.
  const everyMs =
    before.gapMs === null ? facts.expectedEveryMs : Math.max(facts.expectedEveryMs, Math.min(before.gapMs, gapMs));
  const closed = before.trend === null ? null : closedMinute(before.trend, at);
  let { state } = fold;
  if (closed !== null && closed.medians !== null) {
    const { day, recent } = closed.medians;
    const minute = { at: closed.at, gapMs: closed.gapMs, everyMs: 60_000, isDoubtful: false, isOnOxygen: false };
    state = evaluate(plan, state, index, { ...minute, input: 'drop', value: day - recent });
    state = evaluate(plan, state, index, { ...minute, input: 'jump', value: Math.abs(day - recent) });
  }
  const isOnOxygen = state.oxygen !== null && state.oxygen.flow > 0;
  const evaluated: Evaluated = {
    at,
    gapMs,
    everyMs,
    input: 'value',
    value: entry.value,
    isDoubtful: entry.isDoubtful,
    isOnOxygen,
  };
  state = evaluate(plan, state, index, evaluated);
  state = endForSilent(plan, fold.sources, state, index, evaluated);
  return { sources: stepSources(plan, fold.sources, entry), state };
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

function evaluate(plan: Plan, state: StreamState, source: number, evaluated: Evaluated): StreamState {
  let changed: Group[] | null = null;
  for (let index = 0; index < plan.groups.length; index += 1) {
    const of = plan.groups[index];
    const group = state.groups[index];
    // Nearly every value of a ward stops here.
    if (of !== undefined && group !== undefined && !(group.isCalm && isCalmValue(of, evaluated))) {
      const after = stepGroup(group, of.rules, source * of.rules.length, evaluated);
      if (after !== group) {
        changed ??= state.groups.slice();
        changed[index] = after;
      }
    }
  }
  return changed === null ? state : { ...state, groups: changed };
}

/**
 * What a source told that is off, no value of its own will ever end: the ECG was taken off, and the oximeter shows that
 * the heart is well again. Once it has been silent for so long that its timers are cancelled, the value of the other
 * source is asked about what it told.
 */
function endForSilent(
  plan: Plan,
  sources: readonly Source[],
  state: StreamState,
  speaks: number,
  evaluated: Evaluated,
): StreamState {
  let changed: Group[] | null = null;
  for (let index = 0; index < state.groups.length; index += 1) {
    const of = plan.groups[index];
    const group = state.groups[index];
    if (of === undefined || group === undefined || group.isCalm) {
      continue;
    }
    let after = group;
    for (let silent = 0; silent < sources.length; silent += 1) {
      if (silent !== speaks && isSilent(plan, sources, silent, evaluated.at)) {
        after = endActive(after, of.rules, silent * of.rules.length, evaluated);
      }
    }
    if (after !== group) {
      changed ??= state.groups.slice();
      changed[index] = after;
    }
  }
  return changed === null ? state : { ...state, groups: changed };
}

function isSilent(plan: Plan, sources: readonly Source[], index: number, at: number): boolean {
  const source = sources[index];
  const every = Math.max(plan.sources[index]?.expectedEveryMs ?? 0, source?.gapMs ?? 0);
  return source !== undefined && source.lastAt !== null && at - source.lastAt > gapLimits(every).cancels;
}

/** Asks a value only about what is told; it begins nothing. */
function endActive(group: Group, rules: readonly Rule[], first: number, evaluated: Evaluated): Group {
  let changed: RuleTimer[] | null = null;
  for (let index = 0; index < rules.length; index += 1) {
    const rule = rules[index];
    const state = group.states[first + index];
    if (rule !== undefined && state?.phase === 'active' && appliesTo(rule, evaluated)) {
      const after = rule.limits === null ? idle : stepOne(state, rule, rule.limits, evaluated);
      if (after !== state) {
        changed ??= group.states.slice();
        changed[first + index] = after;
      }
    }
  }
  if (changed === null) {
    return group;
  }
  const episode = nextEpisode(group.episode, activeOf(changed, rules), evaluated.at, null);
  return { states: changed, isCalm: changed.every(isIdle), episode };
}

function isCalmValue({ calm }: RuleGroup, { input, value, isDoubtful }: Evaluated): boolean {
  return input === 'value' && !isDoubtful && value > calm.above && value < calm.below;
}

function stepGroup(group: Group, rules: readonly Rule[], first: number, evaluated: Evaluated): Group {
  let changed: RuleTimer[] | null = null;
  let hasEnded = false;
  for (let index = 0; index < rules.length; index += 1) {
    const rule = rules[index];
    const state = group.states[first + index];
    if (rule === undefined || state === undefined || !appliesTo(rule, evaluated)) {
      continue;
    }
    const after = rule.limits === null ? idle : stepOne(state, rule, rule.limits, evaluated);
    if (after !== state) {
      changed ??= group.states.slice();
      changed[first + index] = after;
      hasEnded ||= state.phase === 'active' && after.phase === 'idle';
    }
  }
  if (changed === null && (group.episode === null || group.episode.endedAt !== null)) {
    return group;
  }
  if (hasEnded && changed !== null) {
    downgrade(changed, rules, first, evaluated);
  }
  const states = changed ?? group.states;
  const isMeasured = rules.some(
    ({ input }, index) => input === evaluated.input && input === 'value' && isActive(states[first + index]),
  );
  const episode = nextEpisode(
    group.episode,
    activeOf(states, rules),
    evaluated.at,
    isMeasured ? evaluated.value : null,
  );
  return changed === null && episode === group.episode ? group : { states, isCalm: states.every(isIdle), episode };
}

const isIdle = ({ phase }: RuleTimer): boolean => phase === 'idle';
const isActive = (state: RuleTimer | undefined): boolean => state?.phase === 'active';

function appliesTo(rule: Rule, { input }: Evaluated): boolean {
  return rule.input === input || (rule.input === 'quality' && input === 'value');
}

function stepOne(state: RuleTimer, rule: Rule, limits: RuleLimits, evaluated: Evaluated): RuleTimer {
  const { at, gapMs, everyMs, isDoubtful } = evaluated;
  if (rule.input === 'quality') {
    return stepRule(state, rule, { at, gapMs, everyMs, violates: isDoubtful, clears: !isDoubtful });
  }
  const applies = !rule.onOxygen || evaluated.isOnOxygen;
  const violates = applies && isBeyondAny(limits.raise, evaluated.value);
  if (state.phase === 'idle' && !violates) {
    return state;
  }
  // A doubtful value can raise an alert, because it may be true; it ends none, because it may not.
  const clears = !isDoubtful && (!applies || isBeyondAll(limits.clear, evaluated.value));
  return stepRule(state, rule, { at, gapMs, everyMs, violates, clears });
}

/**
 * When the last told tier ends and a milder one is violated, the alert becomes milder instead of ending: the milder
 * one's time has been served.
 */
function downgrade(states: RuleTimer[], rules: readonly Rule[], first: number, { at, input }: Evaluated): void {
  if (rules.some((rule, index) => rule.input === input && isActive(states[first + index]))) {
    return;
  }
  rules.forEach((rule, index) => {
    const state = states[first + index];
    if (rule.input === input && state?.phase === 'pending' && state.inLimitSince === null) {
      states[first + index] = { phase: 'active', since: at, inLimitSince: null, clearSince: null };
    }
  });
}

const nothing: readonly Active[] = [];

function activeOf(states: readonly RuleTimer[], rules: readonly Rule[]): readonly Active[] {
  let active: Active[] | null = null;
  for (let index = 0; index < states.length; index += 1) {
    const state = states[index];
    const rule = rules[index % rules.length];
    if (state?.phase === 'active' && rule !== undefined) {
      active ??= [];
      active.push({ rule: rule.id, priority: rule.priority, since: state.since });
    }
  }
  return active ?? nothing;
}
