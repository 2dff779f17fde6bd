import type { EpochMs } from '../time/epochMs';
import type { Episode } from './episode';
import { emptyFold, stepFold, stepTimings, type Fold, type StreamState } from './fold';
import { inOrderOfMeasuring } from './inOrderOfMeasuring';
import type { Entry, Plan } from './plan';
import { silentTiming } from './feeds';
import { retrospectiveAfterMs } from './timing';
import { trendOf } from './trend';
import { withoutRedundant } from './withoutRedundant';
import {
  countsFrom,
  createWindow,
  newestEntries,
  settled,
  takeEntries,
  takeEntry,
  windowOf,
  type Order,
  type Window,
} from './window';

/** A stream of a patient: the values that may still arrive out of order, and the state of its rules. Immutable. */
export type Stream = Window<Entry, Fold>;

/** Whole slots are settled at once. */
const slotMs = 15_000;

/** One for each plan: every value needs it. */
const orders = new WeakMap<Plan, Order<Entry, Fold>>();

function orderOf(plan: Plan): Order<Entry, Fold> {
  const known = orders.get(plan);
  if (known !== undefined) {
    return known;
  }
  const order = {
    retrospectiveAfterMs,
    slotMs,
    step: (fold: Fold, entry: Entry) => stepFold(plan, fold, entry),
    compare: inOrderOfMeasuring,
    isRepeat,
  };
  orders.set(plan, order);
  return order;
}

function isRepeat(a: Entry, b: Entry): boolean {
  return a.value === b.value && a.isDoubtful === b.isDoubtful && a.isValid === b.isValid;
}

/** Returns a stream before its first value. */
export function createStream(plan: Plan): Stream {
  return createWindow(emptyFold(plan));
}

/**
 * Takes a stream and a value that arrived at `now` (epoch milliseconds, never going back), and returns the stream with
 * it. Values may arrive in any order, twice or in pieces: if none is more than a minute old, the result is as if each
 * had arrived at once. Older ones change nothing, nor does what `withoutRedundant` leaves out.
 */
export function takeEntryOfStream(stream: Stream, plan: Plan, entry: Entry, now: EpochMs): Stream {
  return withoutRedundant(stream, [entry]).length === 0 ? stream : takeEntry(stream, entry, now, orderOf(plan));
}

/** Takes values that arrived together at `now`; the result is that of taking each, at the cost of one. */
export function takeEntriesOfStream(stream: Stream, plan: Plan, entries: readonly Entry[], now: EpochMs): Stream {
  return takeEntries(stream, withoutRedundant(stream, entries), now, orderOf(plan));
}

/**
 * Returns the stream without some of the values that may still be evaluated again, and with what `without` makes of the
 * fold before these: the same stream if neither changes anything.
 */
export function dropEntries(
  stream: Stream,
  plan: Plan,
  isDropped: (entry: Entry) => boolean,
  without: (fold: Fold) => Fold,
): Stream {
  const before = settled(stream);
  const after = without(before);
  const entries = newestEntries(stream, Infinity);
  const left = entries.filter((entry) => !isDropped(entry));
  return after === before && left.length === entries.length
    ? stream
    : windowOf(after, left, stream.until, orderOf(plan));
}

/** Returns the episode of each parameter of a stream, in the order of its plan. */
export function episodesOf(stream: Stream): readonly (Episode | null)[] {
  return stream.head.state.groups.map(({ episode }) => episode);
}

/** Returns what the store has to keep of a stream, as JSON, for `resumeStream`: the same object until it changes. */
export function toKeep(stream: Stream): StreamState {
  return settled(stream).state;
}

/**
 * Returns from when on `resumeStream` evaluates, given the arrival of the newest value. It also needs the two values of
 * each source before.
 */
export function resumesFrom(newestReceivedAt: EpochMs): number {
  return countsFrom({ retrospectiveAfterMs, slotMs }, newestReceivedAt);
}

/**
 * Returns the stream as if no rule had run before `from` (epoch milliseconds). What is known of its sources and of
 * oxygen stays; earlier values do not count any more.
 */
export function resetStream(stream: Stream, plan: Plan, from: number): Stream {
  const { timings, state } = stream.head;
  const groups = emptyFold(plan).state.groups.map((group) => ({
    ...group,
    states: state.feeds.flatMap(() => group.states.slice(0, group.states.length / plan.sources.length)),
  }));
  return {
    newest: null,
    head: { timings, state: { ...state, groups, typed: [] } },
    until: Math.max(stream.until, from),
  };
}

/**
 * Returns the stream as it was before a restart. Takes what was kept last (null: nothing yet) and every value that
 * arrived in time since some instant before `resumesFrom`, with at least the last two of each source before it, and
 * those of the minute before.
 * `minutes` are the last values of the minutes before that instant, by source. `resetAt` is when the stream was last
 * reset.
 */
export function resumeStream(
  plan: Plan,
  kept: StreamState | null,
  values: readonly { entry: Entry; receivedAt: EpochMs }[],
  minutes: readonly (readonly { minute: number; last: number }[])[],
  resetAt = 0,
): Stream {
  const inTime = values.filter(({ entry, receivedAt }) => entry.at >= receivedAt - retrospectiveAfterMs);
  const newest = inTime.reduce((latest, { receivedAt }) => Math.max(latest, receivedAt), 0);
  const until = Math.max(newest === 0 ? 0 : resumesFrom(newest), resetAt);
  const fresh = emptyFold(plan);
  const state =
    kept === null ? fresh.state : { ...kept, feeds: kept.feeds.length === 0 ? fresh.state.feeds : kept.feeds };
  let before: Fold = isOf(plan, state)
    ? { timings: state.feeds.map((_, index) => fresh.timings[index] ?? silentTiming), state }
    : fresh;
  const entries = inTime.map(({ entry }) => entry).sort(inOrderOfMeasuring);
  for (const entry of entries.filter(({ at }) => at < until)) {
    const isFirst = before.timings[entry.source]?.trend === null;
    before = stepTimings(plan, before, entry);
    const timing = before.timings[entry.source];
    if (isFirst && timing !== undefined && timing.trend !== null) {
      const trend = trendOf(minutes[entry.source] ?? [], timing.trend.minute, timing.trend.last);
      before = { ...before, timings: before.timings.with(entry.source, { ...timing, trend }) };
    }
  }
  return windowOf(
    before,
    entries.filter(({ at }) => at >= until),
    until,
    orderOf(plan),
  );
}

/**
 * Returns whether the same rules made the kept state. A release that adds a rule starts again, because the old indexes
 * would belong to other rules.
 */
function isOf(plan: Plan, { feeds, groups }: StreamState): boolean {
  return (
    groups.length === plan.groups.length &&
    plan.groups.every(({ rules }, index) => rules.length * feeds.length === groups[index]?.states.length)
  );
}
