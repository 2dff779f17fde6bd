import type { EpochMs } from '../time/epochMs';
import {
  endForSilent,
  evaluateGroups,
  handOverConditions,
  isCalm,
  isDisputed,
  isFeedIdle,
  withIdleFeed,
  withTimersOfFeed,
  type Evaluated,
  type Group,
} from './evaluateGroups';
import {
  isTyped,
  comparedTiming,
  contradiction,
  emptyFeeds,
  evaluatedFeeds,
  intervalOf,
  isSettled,
  nextTiming,
  placeOf,
  steadySince,
  withFeed,
  type Feed,
  type Feeds,
  type Timing,
} from './feeds';
import type { Entry, Plan } from './plan';
import { idle } from './stepRule';
import { gapLimits, spotEveryMs, steadyGapMs } from './timing';
import { closedMinute, isInMinute, stepTrend, type Trend } from './trend';
import { isAnswered, withTypedValue, type TypedValue } from './typedValues';

/** What depends on values of long ago, so the store keeps it. The same object until it changes. */
export interface StreamState {
  feeds: readonly Feed[];
  groups: readonly Group[];
  /** L/min, 0 is air; null: unknown. */
  oxygen: { flow: number; measuredAt: EpochMs } | null;
  /** Those that may still be withdrawn, in the order of evaluation. */
  typed: readonly TypedValue[];
}

export interface Fold {
  /** By feed. */
  timings: readonly Timing[];
  state: StreamState;
}

/** Returns the fold of a stream before its first value. */
export function emptyFold(plan: Plan): Fold {
  const { feeds, timings } = emptyFeeds(plan);
  return {
    timings,
    state: {
      feeds,
      groups: plan.groups.map(({ rules }) => ({
        states: feeds.flatMap(() => rules.map(() => idle)),
        isCalm: true,
        episode: null,
      })),
      oxygen: null,
      typed: [],
    },
  };
}

/** Takes a stream's fold and its next value in the order of measuring, and returns the fold after it. */
export function stepFold(plan: Plan, earlier: Fold, entry: Entry): Fold {
  if (plan.sources[entry.source]?.isOxygenFlow === true) {
    return withFlow(earlier, entry);
  }
  const placed = withDevice(plan, earlier, entry);
  const fold = entry.deviceId < 0 && entry.isValid ? withTyped(plan, placed, entry) : placed;
  const index = placeOf(fold.state.feeds, entry);
  const before = timingOf(fold, index);
  if (!entry.isValid) {
    const timing = nextTiming(before, entry);
    return timing === before ? fold : { timings: fold.timings.with(index, timing), state: fold.state };
  }
  if (isUneventful(plan, fold, index, before, entry)) {
    return {
      timings: fold.timings.with(index, nextTiming(before, entry, trendOf(plan, before, entry))),
      state: fold.state,
    };
  }
  return isAnswered(entry, before.last) ? fold : evaluate(plan, fold, index, before, entry);
}

function withTyped(plan: Plan, { timings, state }: Fold, entry: Entry): Fold {
  const { feeds, groups, typed } = state;
  const after = withTypedValue(plan, typed, { feeds, timings, groups }, entry, isOnOxygen(state));
  return { timings, state: { ...state, typed: after } };
}

const isOnOxygen = ({ oxygen }: StreamState): boolean => oxygen !== null && oxygen.flow > 0;

/** Returns whether an entry changes nothing but the timing of its feed, as nearly all do. */
function isUneventful(plan: Plan, { state }: Fold, index: number, { last, trend }: Timing, entry: Entry): boolean {
  const { feeds, groups } = state;
  const feed = feeds[index];
  return (
    feeds.length === plan.sources.length &&
    feed?.counts === true &&
    feed.isAssigned === entry.isAssigned &&
    feed.steadySince !== null &&
    last !== null &&
    entry.at - last.at <= steadyGapMs &&
    entry.at === entry.measuredAt &&
    (trend === null || isInMinute(trend, entry.at)) &&
    isCalm(plan, groups, entry)
  );
}

function trendOf(plan: Plan, { trend }: Timing, { source, at, value }: Entry): Trend | null {
  return plan.sources[source]?.hasTrend === true ? stepTrend(trend, at, value) : null;
}

function evaluate(plan: Plan, fold: Fold, index: number, before: Timing, entry: Entry): Fold {
  const known = { feeds: fold.state.feeds, timings: fold.timings };
  const timing = comparedTiming(known, index, entry);
  const gapMs = before.last === null ? Infinity : entry.at - before.last.at;
  const settled = isSettled(plan, known, entry.at, entry);
  const { state, feed } = withTurn(plan, withSteady(fold, index, entry.at), index, entry, { gapMs, settled });
  const everyMs = intervalOf(plan, feed, timing);
  const evaluated: Evaluated = {
    feed: index,
    at: everyMs >= spotEveryMs ? entry.measuredAt : entry.at,
    knownAt: entry.at,
    gapMs,
    everyMs,
    input: 'value',
    value: entry.value,
    isDoubtful: entry.isDoubtful,
    hasStoppedStating: entry.hasStoppedStating,
    isOnOxygen: isOnOxygen(state),
    isSpot: everyMs >= spotEveryMs,
    isTyped: isTyped(feed),
  };
  const timings = fold.timings.with(index, timing);
  const feeds = { feeds: state.feeds, timings };
  const hasTrend = isOfTrend(state.feeds, feed);
  let groups = hasTrend ? evaluateTrend(plan, feeds, state.groups, entry) : state.groups;
  groups = evaluateGroups(plan, feeds, groups, evaluated);
  if (state.feeds.length > plan.sources.length && !evaluated.isTyped) {
    const value = contradiction(plan, feeds, index, entry);
    groups = evaluateGroups(plan, feeds, groups, { ...evaluated, feed: entry.source, input: 'disagreement', value });
  }
  if (feed.counts) {
    groups = endForSilent(plan, feeds, groups, evaluated);
  }
  if (hasTrend) {
    putTrend(plan, timings, entry);
  }
  return { timings, state: groups === state.groups ? state : { ...state, groups } };
}

/**
 * Updates what is known of a value's feed without evaluating rules: a restart learns the pace of a feed this way.
 */
export function stepTimings(plan: Plan, earlier: Fold, entry: Entry): Fold {
  if (plan.sources[entry.source]?.isOxygenFlow !== false) {
    return earlier;
  }
  const fold = withDevice(plan, earlier, entry);
  const index = placeOf(fold.state.feeds, entry);
  const before = timingOf(fold, index);
  if (entry.isValid && isAnswered(entry, before.last)) {
    return fold;
  }
  const known = { feeds: fold.state.feeds, timings: fold.timings };
  const timings = fold.timings.with(index, comparedTiming(known, index, entry));
  if (entry.isValid && isOfTrend(fold.state.feeds, fold.state.feeds[index])) {
    putTrend(plan, timings, entry);
  }
  return { timings, state: fold.state };
}

function timingOf({ timings }: Fold, index: number): Timing {
  const timing = timings[index];
  if (timing === undefined) {
    throw new RangeError('a value of a source that the plan does not have');
  }
  return timing;
}

function withFlow(fold: Fold, { value, measuredAt, isValid }: Entry): Fold {
  const { oxygen } = fold.state;
  const isOld = oxygen !== null && oxygen.measuredAt > measuredAt;
  return isOld || !isValid
    ? fold
    : { timings: fold.timings, state: { ...fold.state, oxygen: { flow: value, measuredAt } } };
}

/** Returns the fold with a feed for the entry's device. */
function withDevice(plan: Plan, fold: Fold, entry: Entry): Fold {
  const { timings, state } = fold;
  if (placeOf(state.feeds, entry) !== -1) {
    return fold;
  }
  const after = withFeed({ feeds: state.feeds, timings }, entry, (index) => isFeedIdle(plan, state.groups, index));
  const groups = after.feeds.length === state.feeds.length ? state.groups : withTimersOfFeed(plan, state.groups);
  return { timings: after.timings, state: { ...state, feeds: after.feeds, groups } };
}

function withSteady(fold: Fold, index: number, at: EpochMs): Fold {
  const { timings, state } = fold;
  const feed = state.feeds[index];
  const since = feed === undefined ? null : steadySince(feed, timingOf(fold, index), at);
  return feed === undefined || feed.steadySince === since
    ? fold
    : { timings, state: { ...state, feeds: state.feeds.with(index, { ...feed, steadySince: since }) } };
}

/** Returns whether the trend of a source takes the values of a feed: not beside an assigned one that counts. */
function isOfTrend(feeds: readonly Feed[], feed: Feed | undefined): boolean {
  const isPreferred = ({ source, counts, isAssigned }: Feed): boolean =>
    source === feed?.source && counts && isAssigned;
  return feed !== undefined && (feed.counts || !feeds.some(isPreferred));
}

/** Returns the state with the feeds whose conditions count now. */
function withTurn(
  plan: Plan,
  { timings, state }: Fold,
  index: number,
  entry: Entry,
  { gapMs, settled }: { gapMs: number; settled: boolean },
): { state: StreamState; feed: Feed } {
  const { feeds, handOver } = evaluatedFeeds(plan, { feeds: state.feeds, timings }, index, entry, {
    isDisputed: !settled && state.feeds.length > plan.sources.length && isDisputed(plan, state),
    yields: settled ? plan.settled?.yields : undefined,
  });
  const [before, feed, timing] = [state.feeds[index], feeds[index], timings[index]];
  if (before === undefined || feed === undefined || timing === undefined) {
    throw new RangeError('a value of a feed that is not there');
  }
  // What a device did before a silence is no condition of it any more if it did not count.
  const isForgotten = !before.counts && gapMs > gapLimits(intervalOf(plan, before, timing)).cancels;
  const known = isForgotten ? withIdleFeed(plan, state.groups, index) : state.groups;
  const groups = handOver === null ? known : handOverConditions(plan, feeds, known, handOver);
  const isSame = feeds === state.feeds && groups === state.groups;
  return { state: isSame ? state : { ...state, feeds, groups }, feed };
}

/** Evaluates the medians when a minute is over, by the timers of the source's first feed. */
function evaluateTrend(plan: Plan, feeds: Feeds, groups: readonly Group[], { source, at }: Entry): readonly Group[] {
  const trend = feeds.timings[source]?.trend ?? null;
  const closed = trend === null ? null : closedMinute(trend, at);
  if (closed === null || closed.medians === null) {
    return groups;
  }
  const { day, recent } = closed.medians;
  const minute = {
    feed: source,
    at: closed.at,
    knownAt: closed.at,
    gapMs: closed.gapMs,
    everyMs: 60_000,
    isDoubtful: false,
    hasStoppedStating: false,
    isOnOxygen: false,
    isSpot: false,
    isTyped: false,
  };
  const dropped = evaluateGroups(plan, feeds, groups, { ...minute, input: 'drop', value: day - recent });
  return evaluateGroups(plan, feeds, dropped, { ...minute, input: 'jump', value: Math.abs(day - recent) });
}

/** Adds an evaluated value to the trend of its source, in a copy of the timings. */
function putTrend(plan: Plan, timings: Timing[], entry: Entry): void {
  const first = timings[entry.source];
  const trend = first === undefined ? null : trendOf(plan, first, entry);
  if (first !== undefined && trend !== first.trend) {
    timings[entry.source] = { ...first, trend };
  }
}
