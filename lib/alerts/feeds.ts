import type { EpochMs } from '../time/epochMs';
import { isPresent, type SourceState } from '../vitals/presence';
import { isBeyondRules, type Entry, type Plan } from './plan';
import type { Priority } from './priority';
import {
  confirmedAfterMs,
  gapLimits,
  readingRetrospectiveAfterMs,
  spotEveryMs,
  steadyGapMs,
  steadyMs,
  typedEveryMs,
} from './timing';
import { median, type Trend } from './trend';

/** One device of a source, as the store keeps it: the same object until it changes. */
export interface Feed {
  source: number;
  /** Null: none yet. All values that users typed in are one feed, `typed`. */
  deviceId: number | null;
  isAssigned: boolean;
  /** Its conditions count. Those of another source than the evaluated one wait (clinical.md section 0, Q1). */
  counts: boolean;
  /** Since when it has sent without a gap over 2 min, epoch milliseconds. */
  steadySince: EpochMs | null;
}

/** What the timing of a feed depends on. */
type Timed = Pick<Entry, 'at' | 'measuredAt' | 'value' | 'isDoubtful' | 'isValid'>;

/** What its values alone determine: rebuilt from samples and minutes after a restart. Milliseconds. */
export interface Timing {
  /** The last valid value. */
  last: Timed | null;
  /** Between its last two valid values; null before there were two. */
  gapMs: number | null;
  /** The shorter of its last two gaps; null if it is unknown. */
  paceMs: number | null;
  /** The first invalid value since the last valid one. */
  invalidSince: EpochMs | null;
  /** Of the evaluated values of a source, whatever their device: in the first feed of each source. */
  trend: Trend | null;
  /** The certain values of the last 30 s beside another device. */
  recent?: readonly Pick<Timed, 'at' | 'value'>[];
}

/** The feeds of a stream. The first are one for each source, in the order of the plan. */
export interface Feeds {
  feeds: readonly Feed[];
  timings: readonly Timing[];
}

/** The device of all values that users typed in. */
const typed = -1;

/** The timing of a feed before its first value. */
export const silentTiming: Timing = Object.freeze({
  last: null,
  gapMs: null,
  paceMs: null,
  invalidSince: null,
  trend: null,
});

/** Returns the feeds of a stream before its first value. */
export function emptyFeeds(plan: Plan): Feeds {
  return {
    feeds: plan.sources.map((_, source) => emptyFeed(source, null)),
    timings: plan.sources.map(() => silentTiming),
  };
}

const emptyFeed = (source: number, deviceId: number | null): Feed => ({
  source,
  deviceId,
  isAssigned: false,
  counts: true,
  steadySince: null,
});

export const isTyped = ({ deviceId }: Pick<Feed, 'deviceId'>): boolean => deviceId !== null && deviceId < 0;

/**
 * A feed that has sent nothing for so long gives its place to another device, in milliseconds. Typed values may be
 * withdrawn longer, so that an earlier one applies again.
 */
const forgottenAfterMs = (feed: Feed): number => (isTyped(feed) ? readingRetrospectiveAfterMs : 30 * 60_000);

/** Returns the index of the feed of an entry, or -1 if its device is new. */
export function placeOf(feeds: readonly Feed[], { source, deviceId }: Entry): number {
  const device = deviceId < 0 ? typed : deviceId;
  if (feeds[source]?.deviceId === device) {
    return source;
  }
  return feeds.findIndex((feed) => feed.source === source && feed.deviceId === device);
}

/**
 * Returns the feeds with a place for a new device: that of one without values for half an hour whose rules are idle
 * (`isIdle`), else another one at the end.
 */
export function withFeed(
  { feeds, timings }: Feeds,
  { source, deviceId, at }: Entry,
  isIdle: (index: number) => boolean,
): Feeds {
  const free = feeds.findIndex(
    (feed, index) =>
      feed.source === source &&
      (feed.deviceId === null || (at - (timings[index]?.last?.at ?? 0) > forgottenAfterMs(feed) && isIdle(index))),
  );
  const feed = emptyFeed(source, deviceId < 0 ? typed : deviceId);
  if (free === -1) {
    return { feeds: [...feeds, feed], timings: [...timings, silentTiming] };
  }
  const trend = timings[free]?.trend ?? null;
  return { feeds: feeds.with(free, feed), timings: timings.with(free, { ...silentTiming, trend }) };
}

/** Returns the timing of a feed after its next entry, with the trend of its source (`Timing`). */
export function nextTiming(before: Timing, entry: Timed, trend: Trend | null = before.trend): Timing {
  if (!entry.isValid) {
    return before.invalidSince === null ? { ...before, invalidSince: entry.at } : before;
  }
  const gapMs = before.last === null ? null : entry.at - before.last.at;
  return { last: entry, gapMs, paceMs: observed(before, gapMs), invalidSince: null, trend };
}

/** A first gap shows a pace only if it is that of a slow feed: a fast one may just have begun with an interruption. */
function observed({ gapMs: before }: Timing, gapMs: number | null): number | null {
  if (gapMs === null || before === null) {
    return gapMs !== null && gapMs >= spotEveryMs ? gapMs : null;
  }
  return Math.min(before, gapMs);
}

/** Returns since when a feed has sent without a long gap, with its value at `at`. */
export function steadySince({ steadySince: since }: Feed, { last }: Timing, at: EpochMs): EpochMs {
  return since === null || last === null || at - last.at > steadyGapMs ? at : since;
}

/**
 * Returns how far apart the values of a feed are, in milliseconds. A device that is slower than its setting is not
 * silenced by its own gaps; one that is faster is taken for fast after a quarter of an hour (clinical.md section 0,
 * S2).
 */
export function intervalOf(plan: Plan, feed: Feed, { paceMs, last }: Timing): number {
  if (isTyped(feed)) {
    return typedEveryMs;
  }
  const { expectedEveryMs = 0 } = plan.sources[feed.source] ?? {};
  if (paceMs === null) {
    return expectedEveryMs;
  }
  const isSteady = feed.steadySince !== null && last !== null && last.at - feed.steadySince >= steadyMs;
  return isSteady ? paceMs : Math.max(expectedEveryMs, paceMs);
}

/** Returns the length of a silence after which the values of another feed end the conditions of this one. */
export function silenceOf(plan: Plan, feed: Feed, timing: Timing): number {
  const everyMs = intervalOf(plan, feed, timing);
  if (isTyped(feed)) {
    return confirmedAfterMs;
  }
  const { cancels } = gapLimits(Math.max(everyMs, timing.gapMs ?? 0));
  return everyMs >= spotEveryMs ? Math.max(cancels, confirmedAfterMs) : cancels;
}

/** Returns whether a device's feed is present (`isPresent`) at `at`; what users typed in never is. */
export function isFeedPresent(plan: Plan, feed: Feed, timing: Timing, at: EpochMs): boolean {
  return !isTyped(feed) && isPresent(sourceStateOf(plan.sources[feed.source]?.expectedEveryMs ?? 0, timing), at);
}

/** Returns what decides whether a source is present. Takes how often its device is set to send, in milliseconds. */
export function sourceStateOf(expectedEveryMs: number, { last, invalidSince, paceMs }: Timing): SourceState {
  return { validAt: last?.at ?? null, invalidSince, everyMs: paceMs ?? expectedEveryMs };
}

/** Feeds whose conditions count no longer, and the one that takes them over. */
export interface HandOver {
  from: readonly number[];
  to: number;
}

/** Returns the devices that are present at `at`. */
export function presentFeeds(plan: Plan, { feeds, timings }: Feeds, at: EpochMs): { feed: Feed; timing: Timing }[] {
  return feeds.flatMap((feed, index) => {
    const timing = timings[index] ?? silentTiming;
    return isFeedPresent(plan, feed, timing, at) ? [{ feed, timing }] : [];
  });
}

/** A person can let monitors alone count: devices that send at least so often, in milliseconds. */
const monitorEveryMs = 10_000;

/**
 * Returns whether a person's choice between two devices holds at `at`, where `entry` comes in: the one that counts is
 * present and certain, and no third one and no slow one is. Else all are evaluated as if nothing had been settled.
 */
export function isSettled(plan: Plan, feeds: Feeds, at: EpochMs, entry?: Entry): boolean {
  const { settled } = plan;
  if (settled === undefined || at < settled.at || at >= settled.until) {
    return false;
  }
  const isCounted = ({ deviceId }: Pick<Feed, 'deviceId'>): boolean => deviceId === settled.counts;
  const isOfPair = (of: Pick<Feed, 'deviceId'>): boolean => isCounted(of) || of.deviceId === settled.yields;
  const present = presentFeeds(plan, feeds, at);
  return (
    (entry === undefined || entry.deviceId < 0 || (isOfPair(entry) && !(isCounted(entry) && entry.isDoubtful))) &&
    present.every(({ feed, timing }) => isOfPair(feed) && intervalOf(plan, feed, timing) <= monitorEveryMs) &&
    present.some(({ feed, timing }) => isCounted(feed) && timing.last?.isDoubtful === false)
  );
}

/** The rank of a device among those of its kind: one that it does not doubt itself, then one that is assigned. */
const rankOf = (isDoubtful: boolean, isAssigned: boolean): number => (isDoubtful ? 0 : 2) + (isAssigned ? 1 : 0);

/**
 * Returns the feeds after a valid entry of `index`: its conditions count if no other device of a higher rank is
 * present, or if a user typed it in. Those of a lower rank, or absent ones, count no longer. While two undoubted ones
 * disagree, both count (clinical.md section 00, A6), unless a person has settled that one of them yields.
 */
export function evaluatedFeeds(
  plan: Plan,
  { feeds, timings }: Feeds,
  index: number,
  { isAssigned, isDoubtful, at }: Entry,
  { isDisputed, yields }: { isDisputed: boolean; yields: number | undefined },
): { feeds: readonly Feed[]; handOver: HandOver | null } {
  const feed = feeds[index];
  if (feed === undefined) {
    return { feeds, handOver: null };
  }
  const others = feeds.length === plan.sources.length ? none : rivalsOf(feeds, index);
  const rankIn = (deviceId: number | null, doubts: boolean, assigned: boolean): number =>
    deviceId === yields ? -1 : rankOf(doubts, assigned && !isDisputed);
  const rank = rankIn(feed.deviceId, isDoubtful, isAssigned);
  // How much higher another device that is present ranks; null: it is not.
  const above = (other: number): number | null => {
    const [known, timing] = [feeds[other], timings[other]];
    return known !== undefined && timing !== undefined && isFeedPresent(plan, known, timing, at)
      ? rankIn(known.deviceId, timing.last?.isDoubtful === true, known.isAssigned) - rank
      : null;
  };
  const preferred = others.find((other) => (above(other) ?? 0) > 0);
  const counts = isTyped(feed) || preferred === undefined;
  const from = !counts
    ? feed.counts
      ? [index]
      : none
    : isTyped(feed)
      ? none
      : others.filter((other) => {
          const ranks = above(other);
          return feeds[other]?.counts === true && (ranks === null ? feeds[other].isAssigned !== isAssigned : ranks < 0);
        });
  const isSame = counts === feed.counts && isAssigned === feed.isAssigned && from.length === 0;
  if (isSame) {
    return { feeds, handOver: null };
  }
  const after = feeds.map((known, place) =>
    place === index ? { ...known, isAssigned, counts } : from.includes(place) ? { ...known, counts: false } : known,
  );
  return { feeds: after, handOver: from.length === 0 ? null : { from, to: counts ? index : (preferred ?? index) } };
}

/** Two oximeters that differ by more than this measure something else, in % (clinical.md section 00, A6). */
const mostApart = 6;
/** They are compared by the medians of this time, in milliseconds. */
const comparedMs = 30_000;

/** Returns the timing of a feed after its next entry, with its last values if another device has some too. */
export function comparedTiming({ feeds, timings }: Feeds, index: number, entry: Entry): Timing {
  const before = timings[index] ?? silentTiming;
  const timing = nextTiming(before, entry);
  // Not by its pace, which a restart may not know yet.
  const isBeside = rivalsOf(feeds, index).some(
    (other) => entry.at - (timings[other]?.last?.at ?? -Infinity) < comparedMs,
  );
  if (!entry.isValid || entry.deviceId < 0 || !isBeside) {
    return timing;
  }
  const kept = (before.recent ?? []).filter(({ at }) => entry.at - at < comparedMs);
  return { ...timing, recent: entry.isDoubtful ? kept : [...kept, { at: entry.at, value: entry.value }] };
}

/** What `contradiction` says of a doubtful value, which is no reason to wait for long. */
export const doubtedOne = 2;

/**
 * Returns 1 if a device and another present one contradict each other: two certain ones whose medians are far apart and
 * not both within the MEDIUM limits; `doubtedOne` if one doubts its value, which is beyond a HIGH limit, beside a
 * certain one within; else 0.
 */
export function contradiction(plan: Plan, { feeds, timings }: Feeds, index: number, entry: Entry): number {
  const isBeyond = (value: number, priorities: readonly Priority[]): boolean =>
    plan.groups.some(({ rules }) => isBeyondRules(rules, priorities, value));
  const middleOf = ({ recent = [], last }: Timing): number =>
    median((recent.length === 0 && last !== null ? [last] : recent).map(({ value }) => value).sort((a, b) => a - b));
  const own = timings[index] ?? silentTiming;
  const found = rivalsOf(feeds, index).map((other) => {
    const [feed, timing] = [feeds[other], timings[other]];
    const last = timing?.last ?? null;
    if (feed === undefined || timing === undefined || last === null || !isFeedPresent(plan, feed, timing, entry.at)) {
      return 0;
    }
    if (last.isDoubtful === entry.isDoubtful) {
      const [a, b] = [middleOf(timing), middleOf(own)];
      const isApart = !entry.isDoubtful && Math.abs(a - b) > mostApart;
      return isApart && [a, b].some((value) => isBeyond(value, ['high', 'medium'])) ? 1 : 0;
    }
    const [doubted, certain] = entry.isDoubtful ? [entry, last] : [last, entry];
    return isBeyond(doubted.value, ['high']) && !isBeyond(certain.value, ['high']) ? doubtedOne : 0;
  });
  return Math.max(0, ...found);
}

const none: readonly number[] = [];

/** Returns the other devices of the same source. */
function rivalsOf(feeds: readonly Feed[], index: number): readonly number[] {
  return feeds.flatMap((other, place) =>
    place !== index && other.source === feeds[index]?.source && !isTyped(other) && other.deviceId !== null
      ? [place]
      : [],
  );
}
