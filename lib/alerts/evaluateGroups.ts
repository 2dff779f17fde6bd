import type { EpochMs } from '../time/epochMs';
import type { RuleInput, RuleLimits } from './continuousRules';
import { nextEpisode, type Active, type Episode, type Side } from './episode';
import type { Feed, Feeds, HandOver } from './feeds';
import { doubtedOne, isFeedPresent, isSettled, isTyped, silenceOf } from './feeds';
import { atLeast, atMost, isBeyond, isBeyondAll, isBeyondAny } from './limit';
import type { Entry, Plan, Rule, RuleGroup } from './plan';
import { isMostlyBeyond, nextStretches } from './sawTooth';
import { idle, isIdle, stepRule, withoutRecent, type RuleTimer } from './stepRule';
import { stepSpotRule } from './stepSpotRule';

/** The timers of one parameter's rules: those of the first feed, then those of the second, and so on. */
export interface Group {
  states: readonly RuleTimer[];
  /** No rule is pending or active. */
  isCalm: boolean;
  episode: Episode | null;
}

/** A value as the rules of one feed evaluate it, with the feed's timing. */
export interface Evaluated {
  /** The index of its feed. */
  feed: number;
  at: EpochMs;
  /** When it could be known: later than `at` for a spot value that came late. */
  knownAt: EpochMs;
  gapMs: number;
  everyMs: number;
  input: Exclude<RuleInput, 'quality'>;
  value: number;
  isDoubtful: boolean;
  /** Its device stated qualities and does no longer. */
  hasStoppedStating: boolean;
  isOnOxygen: boolean;
  /** It was typed in, or its feed is that slow (clinical.md section 0, S1). */
  isSpot: boolean;
  /** It was typed in. */
  isTyped: boolean;
}

/** Returns whether no rule is pending or active, and a value violates none. Most values end here. */
export function isCalm(plan: Plan, groups: readonly Group[], { value, isDoubtful }: Entry): boolean {
  for (let index = 0; index < plan.groups.length; index += 1) {
    const calm = plan.groups[index]?.calm;
    const isWithin = calm !== undefined && !isDoubtful && value > calm.above && value < calm.below;
    if (!isWithin || groups[index]?.isCalm !== true) {
      return false;
    }
  }
  return true;
}

/** Takes the groups of a stream and a value, and returns them after it: the same ones if nothing changed. */
export function evaluateGroups(
  plan: Plan,
  feeds: Feeds,
  groups: readonly Group[],
  evaluated: Evaluated,
): readonly Group[] {
  let changed: Group[] | null = null;
  for (let index = 0; index < plan.groups.length; index += 1) {
    const of = plan.groups[index];
    const group = groups[index];
    if (of !== undefined && group !== undefined && !(group.isCalm && isCalmValue(of, evaluated))) {
      const after = stepGroup(plan, group, of.rules, feeds, evaluated);
      if (after !== group) {
        changed ??= groups.slice();
        changed[index] = after;
      }
    }
  }
  return changed ?? groups;
}

/** Returns the groups with idle timers for one more feed. */
export function withTimersOfFeed(plan: Plan, groups: readonly Group[]): readonly Group[] {
  return groups.map((group, index) => {
    const added = (plan.groups[index]?.rules ?? []).map(() => idle);
    return { ...group, states: [...group.states, ...added] };
  });
}

/** Returns whether no rule of a feed is pending or active. */
export function isFeedIdle(plan: Plan, groups: readonly Group[], feed: number): boolean {
  return groups.every(({ isCalm, states }, index) => {
    const { length = 0 } = plan.groups[index]?.rules ?? [];
    return isCalm || states.slice(feed * length, (feed + 1) * length).every(isIdle);
  });
}

/** Returns the groups with idle timers for a feed: what it did before a silence is no condition any more. */
export function withIdleFeed(plan: Plan, groups: readonly Group[], feed: number): readonly Group[] {
  return groups.map((group, index) => {
    const { length = 0 } = plan.groups[index]?.rules ?? [];
    const isOfFeed = (place: number): boolean => Math.floor(place / length) === feed;
    return group.isCalm
      ? group
      : withStates(
          group,
          group.states.map((state, place) => (isOfFeed(place) ? idle : state)),
        );
  });
}

/**
 * Hands active conditions over to the feed that is evaluated from now on: its own values have to clear them. A feed
 * that others replace keeps its timers, because its own values go on. An assigned one that is absent has none any more,
 * but one that yields by a person's choice has.
 */
export function handOverConditions(
  plan: Plan,
  feeds: readonly Feed[],
  groups: readonly Group[],
  { from, to }: HandOver,
): readonly Group[] {
  return groups.map((group, index) => {
    const rules = plan.groups[index]?.rules ?? [];
    if (group.isCalm) {
      return group;
    }
    const states = group.states.slice();
    for (const feed of from) {
      rules.forEach(({ input }, rule) => {
        const state = states[feed * rules.length + rule];
        if (state?.phase === 'active' && !isOfSource(input)) {
          if (states[to * rules.length + rule]?.phase !== 'active') {
            states[to * rules.length + rule] = { ...state, inLimitSince: null, clearSince: null };
          }
          if (feeds[feed]?.isAssigned === true && feeds[feed].deviceId !== plan.settled?.yields) {
            states[feed * rules.length + rule] = idle;
          }
        }
      });
    }
    return withStates(group, states);
  });
}

export function withStates(group: Group, states: readonly RuleTimer[]): Group {
  return { ...group, states, isCalm: states.every(isIdle) };
}

/**
 * Ends conditions of a feed that is off, for example after the ECG was removed and the oximeter shows a normal rate.
 * Once it has been silent long enough to cancel its timers, the evaluated values of other feeds count.
 */
export function endForSilent(plan: Plan, of: Feeds, groups: readonly Group[], evaluated: Evaluated): readonly Group[] {
  const { feeds, timings } = of;
  let changed: Group[] | null = null;
  for (let index = 0; index < groups.length; index += 1) {
    const rules = plan.groups[index]?.rules;
    const group = groups[index];
    if (rules === undefined || group === undefined || group.isCalm) {
      continue;
    }
    let after = group;
    for (let silent = 0; silent < feeds.length; silent += 1) {
      const [feed, timing] = [feeds[silent], timings[silent]];
      if (silent !== evaluated.feed && feed !== undefined && timing !== undefined) {
        // What is known of its values may not reach back as far as its conditions.
        const before = evaluated.knownAt - silenceOf(plan, feed, timing);
        if ((timing.last?.at ?? 0) < before) {
          after = endActive(plan, after, rules, of, silent, before, evaluated);
        }
      }
    }
    if (after !== group) {
      changed ??= groups.slice();
      changed[index] = after;
    }
  }
  return changed ?? groups;
}

/** Evaluates only rules that have been active since before an instant; it begins nothing. */
function endActive(
  plan: Plan,
  group: Group,
  rules: readonly Rule[],
  feeds: Feeds,
  feed: number,
  before: EpochMs,
  evaluated: Evaluated,
): Group {
  const first = feed * rules.length;
  let changed: RuleTimer[] | null = null;
  for (let index = 0; index < rules.length; index += 1) {
    const rule = rules[index];
    const state = group.states[first + index];
    if (rule !== undefined && state?.phase === 'active' && state.since < before && appliesTo(rule, evaluated)) {
      const after = rule.limits === null ? idle : stepOne(state, rule, rule.limits, evaluated);
      if (after !== state) {
        changed ??= group.states.slice();
        changed[first + index] = after;
      }
    }
  }
  return changed === null ? group : withEpisode(plan, group, changed, rules, feeds, evaluated, null);
}

function isCalmValue({ calm }: RuleGroup, { input, value, isDoubtful }: Evaluated): boolean {
  return input === 'value' && !isDoubtful && value > calm.above && value < calm.below;
}

function stepGroup(plan: Plan, group: Group, rules: readonly Rule[], feeds: Feeds, evaluated: Evaluated): Group {
  const first = evaluated.feed * rules.length;
  const counts = feeds.feeds[evaluated.feed]?.counts === true;
  let changed: RuleTimer[] | null = null;
  let hasEnded = false;
  let hasHighEnded = false;
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
      const isOver = state.phase === 'active' && after.phase === 'idle';
      hasEnded ||= isOver;
      hasHighEnded ||= isOver && rule.priority === 'high';
    }
  }
  if (changed === null && (group.episode === null || group.episode.endedAt !== null) && group.isCalm) {
    return group;
  }
  if (hasEnded && changed !== null) {
    if (evaluated.isSpot && hasHighEnded) {
      endMilder(changed, rules, first, evaluated);
    }
    downgrade(changed, rules, first, evaluated);
  }
  const states = changed ?? group.states;
  const isMeasured =
    counts &&
    rules.some(({ input }, index) => input === evaluated.input && input === 'value' && isActive(states[first + index]));
  return withEpisode(plan, group, states, rules, feeds, evaluated, isMeasured ? evaluated.value : null);
}

function withEpisode(
  plan: Plan,
  group: Group,
  states: readonly RuleTimer[],
  rules: readonly Rule[],
  feeds: Feeds,
  { at, feed }: Evaluated,
  value: number | null,
): Group {
  const source = feeds.feeds[feed]?.source ?? null;
  const side = value === null ? null : sideOf(states, rules, feed * rules.length, value);
  const active = activeOf(plan, states, rules, feeds, at, group.episode);
  const episode = nextEpisode(group.episode, active, at, value, source, side);
  if (states === group.states && episode === group.episode) {
    return group;
  }
  const isOver = group.episode?.endedAt === null && episode?.endedAt !== null;
  const left = isOver ? states.map(withoutRecent) : states;
  return { states: left, isCalm: left.every(isIdle), episode };
}

/** Returns on which side a value of a feed violates one of its active rules; null: it violates none of them. */
function sideOf(states: readonly RuleTimer[], rules: readonly Rule[], first: number, value: number): Side | null {
  for (let index = 0; index < rules.length; index += 1) {
    const rule = rules[index];
    if (rule?.input === 'value' && rule.limits !== null && isActive(states[first + index])) {
      const side = sideOfLimits(rule.limits, value);
      if (side !== null) {
        return side;
      }
    }
  }
  return null;
}

function sideOfLimits({ raise }: RuleLimits, value: number): Side | null {
  const limit = raise.find((one) => isBeyond(one, value));
  return limit === undefined ? null : limit.is === 'atLeast' ? 'high' : 'low';
}

const isActive = (state: RuleTimer | undefined): boolean => state?.phase === 'active';
/** Of a source, whatever the device of its values. */
export const isOfSource = (input: RuleInput): boolean =>
  input === 'drop' || input === 'jump' || input === 'disagreement';

/** Returns the active timers of one group of a plan, each with its rule and its feed. */
export function activeTimers(
  plan: Plan,
  { feeds, groups }: { feeds: readonly Feed[]; groups: readonly Group[] },
  index: number,
): { timer: RuleTimer; rule: Rule; feed: Feed }[] {
  const { rules = [] } = plan.groups[index] ?? {};
  return (groups[index]?.states ?? []).flatMap((timer, place) => {
    const [rule, feed] = [rules[place % rules.length], feeds[Math.floor(place / rules.length)]];
    return timer.phase !== 'active' || rule === undefined || feed === undefined ? [] : [{ timer, rule, feed }];
  });
}

/** Returns whether two devices of a stream have contradicted each other for long enough to be an alert. */
export function isDisputed(plan: Plan, state: Parameters<typeof activeTimers>[1]): boolean {
  return state.groups.some((_, at) => activeTimers(plan, state, at).some(({ rule }) => rule.input === 'disagreement'));
}

function appliesTo(rule: Rule, { input }: Evaluated): boolean {
  return rule.input === input || (rule.input === 'quality' && input === 'value');
}

function stepOne(state: RuleTimer, rule: Rule, limits: RuleLimits, evaluated: Evaluated): RuleTimer {
  const { at, gapMs, everyMs, hasStoppedStating } = evaluated;
  if (rule.input === 'quality') {
    const violates = evaluated.isDoubtful && !hasStoppedStating;
    return stepRule(state, rule, { at, gapMs, everyMs, violates, clears: !violates });
  }
  // The device does not say whether it doubts these values.
  const isSlow = evaluated.isDoubtful && hasStoppedStating;
  const isDoubtful = evaluated.isDoubtful && !hasStoppedStating;
  const applies = !rule.onOxygen || evaluated.isOnOxygen;
  const violates = applies && isBeyondAny(limits.raise, evaluated.value);
  if (isIdle(state) && !violates) {
    return state;
  }
  // A doubtful value can raise an alert, because it may be true. It ends none, because it may be wrong.
  const clears = !isDoubtful && (!applies || isBeyondAll(limits.clear, evaluated.value));
  const isDoubted = rule.input === 'disagreement' && evaluated.value === doubtedOne;
  const timed = isSlow ? { ...rule, holdMs: 3 * rule.holdMs } : isDoubted ? { ...rule, delayMs: doubtedMs } : rule;
  const after =
    evaluated.isSpot && rule.priority === 'high'
      ? stepSpotRule(state, {
          ...{ at, knownAt: evaluated.knownAt, violates, isWithin: !violates && !isDoubtful, clears },
          isCertain: evaluated.isTyped && needsNoSecond(rule, evaluated.value),
        })
      : stepRule(state, timed, { at, gapMs, everyMs, violates, clears });
  const canSaw = rule.priority === 'high' && rule.delayMs > 0 && state.phase !== 'active' && after.phase !== 'active';
  return canSaw ? withSawTooth(state, after, limits, evaluated) : after;
}

/** How long a doubtful value beside a certain one waits, in milliseconds (clinical.md section 00, A6). */
const doubtedMs = 15_000;

/** Returns the timer of a HIGH rule after a value, active if its values were beyond the limit most of the time. */
function withSawTooth(
  before: RuleTimer,
  after: RuleTimer,
  limits: RuleLimits,
  { at, gapMs, everyMs, value }: Evaluated,
): RuleTimer {
  const side = sideOfLimits(limits, value);
  const stretches = nextStretches(before.recent ?? [], { at, is: side ?? 'within', gapMs, everyMs });
  if (side !== null && isMostlyBeyond(stretches, side, at)) {
    const from = stretches.find(({ is }) => is === side)?.at ?? at;
    return { ...idle, phase: 'active', since: at, from, hasGap: stretches.some(({ is }) => is === 'gap') };
  }
  const recent = stretches.length === 0 ? undefined : stretches;
  return recent === after.recent ? after : { ...after, recent };
}

/** Per minute. */
const certainRates = [atMost(30), atLeast(180)];

/** Returns whether a typed value that violates a rule waits for no second one (clinical.md section 00, A5). */
function needsNoSecond({ id }: Rule, value: number): boolean {
  return id === 'spo2.desat' || (id === 'hr.extreme' && isBeyondAny(certainRates, value));
}

/** The single value that ends the HIGH conditions ends the milder ones that it clears as well. */
function endMilder(states: RuleTimer[], rules: readonly Rule[], first: number, { value }: Evaluated): void {
  if (rules.some(({ priority }, index) => priority === 'high' && isActive(states[first + index]))) {
    return;
  }
  rules.forEach(({ input, limits }, index) => {
    if (input === 'value' && limits !== null && isBeyondAll(limits.clear, value)) {
      states[first + index] = idle;
    }
  });
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
      const { from, hasGap } = state;
      states[first + index] = { ...idle, phase: 'active', since: at, from, hasGap };
    }
  });
}

const nothing: readonly Active[] = [];

/**
 * Returns the active rules that count at `at`. A trend is of the source, whatever the device of its values. Two devices
 * that agree are no alert any more after one that was about a value: it ended when both were clear (section 00, A6).
 * Nor are two that contradict each other while a person has settled which one counts.
 */
export function activeOf(
  plan: Plan,
  states: readonly RuleTimer[],
  rules: readonly Rule[],
  feeds: Feeds,
  at: EpochMs,
  episode: Episode | null,
): readonly Active[] {
  let active: Active[] | null = null;
  for (let index = 0; index < states.length; index += 1) {
    const state = states[index];
    const rule = rules[index % rules.length];
    const feed = feeds.feeds[Math.floor(index / rules.length)];
    if (
      state?.phase === 'active' &&
      rule !== undefined &&
      feed !== undefined &&
      (feed.counts || isOfSource(rule.input)) &&
      !(rule.input === 'disagreement' && state.clearSince !== null && episode?.rule !== rule.id) &&
      !(rule.input === 'disagreement' && isSettled(plan, feeds, at))
    ) {
      active ??= [];
      const { since, unconfirmedUntil } = state;
      const { source } = feed;
      active.push(
        isContradicted(plan, feed, rule, feeds, at)
          ? { rule: rule.id, priority: 'medium', since, source }
          : { rule: rule.id, priority: rule.priority, since, source, unconfirmedUntil },
      );
    }
  }
  return active ?? nothing;
}

/** Returns whether a source that is trusted more has a live value within the rule's HIGH limit. */
function isContradicted(plan: Plan, feed: Feed, rule: Rule, { feeds, timings }: Feeds, at: EpochMs): boolean {
  const yieldsTo = plan.sources[feed.source]?.yieldsTo ?? null;
  const { limits } = rule;
  if (yieldsTo === null || rule.priority !== 'high' || limits === null || isTyped(feed)) {
    return false;
  }
  return feeds.some((other, index) => {
    const timing = timings[index];
    const last = timing?.last ?? null;
    return (
      other.source === yieldsTo &&
      other.counts &&
      timing !== undefined &&
      last?.isDoubtful === false &&
      isFeedPresent(plan, other, timing, at) &&
      !isBeyondAny(limits.raise, last.value)
    );
  });
}
