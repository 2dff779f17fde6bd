import type { EpochMs } from '../time/epochMs';
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
  /** Null: off for this patient; an active condition ends. */
  limits: RuleLimits | null;
  delayMs: number;
  holdMs: number;
  onOxygen: boolean;
}

/** One stream of values in the order of measuring, and the rules that evaluate it. */
export interface Plan {
  /** The sources of its values: each keeps its own timers. */
  sources: readonly { expectedEveryMs: number; hasTrend: boolean; isOxygenFlow: boolean }[];
  /** The parameters that it can raise alerts about, each with its rules as tiers. */
  groups: readonly RuleGroup[];
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
  deviceId: number;
  /** Rounded as it is displayed, in the kind's unit. */
  value: number;
  /** Whether the device doubts it. */
  isDoubtful: boolean;
}

/** What the values of a source alone determine: rebuilt from samples and minutes after a restart. */
export interface Source {
  lastAt: EpochMs | null;
  /** Between its last two values, in milliseconds; null before there were two. */
  gapMs: number | null;
  trend: Trend | null;
}

/** The timers of one parameter's rules: those of the first source, then those of the second. */
export interface Group {
  states: readonly RuleTimer[];
  /** No rule is pending or active. */
  isCalm: boolean;
  episode: Episode | null;
}

/** What depends on values of long ago, so the store keeps it. The same object until it changes. */
export interface StreamState {
  groups: readonly Group[];
  /** L/min, 0 is air; null: unknown. */
  oxygen: { flow: number; measuredAt: EpochMs } | null;
}

export interface Fold {
  sources: readonly Source[];
  state: StreamState;
}

/** Returns the fold of a stream before its first value. */
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

/** A value as the rules of one source evaluate it, with the source's timing. */
interface Evaluated {
  at: EpochMs;
  gapMs: number;
  everyMs: number;
  input: Exclude<RuleInput, 'quality'>;
  value: number;
  isDoubtful: boolean;
  isOnOxygen: boolean;
}

/** Takes a stream's fold and its next value in the order of measuring, and returns the fold after it. */
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
  // A device that is slower than its setting must not be silenced by its own gaps: two equal gaps in a row are its
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

/** Updates what is known of a value's source without evaluating rules: a restart learns the pace of a feed this way. */
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
    // Nearly every value ends here.
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
 * Ends conditions of a source that is off, for example after the ECG was removed and the oximeter shows a normal rate.
 * Once the source has been silent long enough to cancel its timers, the values of the other source count.
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

function isSilent(plan: Plan, sources: readonly Source[], index: number, at: EpochMs): boolean {
  const source = sources[index];
  const every = Math.max(plan.sources[index]?.expectedEveryMs ?? 0, source?.gapMs ?? 0);
  return source !== undefined && source.lastAt !== null && at - source.lastAt > gapLimits(every).cancels;
}

/** Evaluates only active rules; it begins nothing. */
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
  // A doubtful value can raise an alert, because it may be true. It ends none, because it may be wrong.
  const clears = !isDoubtful && (!applies || isBeyondAll(limits.clear, evaluated.value));
  return stepRule(state, rule, { at, gapMs, everyMs, violates, clears });
}

/**
 * When the last active tier ends and a milder one is violated, the alert is downgraded instead of ending: the milder
 * tier has already counted its time.
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
