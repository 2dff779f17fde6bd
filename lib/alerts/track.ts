import type { Episode } from './episode';
import { emptyFold, stepFold, stepSources, type Entry, type Fold, type Memory, type Plan, type Source } from './fold';
import { inOrderOfMeasuring } from './inOrderOfMeasuring';
import { lateMs } from './timing';
import { trendOf } from './trend';
import { countsFrom, openWindow, settled, takeEntry, windowOf, type Order, type Window } from './window';

/** One stream of a patient: what may still come out of order, and where its rules stand. Immutable. */
export type Track = Window<Entry, Fold>;

/** Whole slots are settled at once. */
const slotMs = 15_000;

function orderOf(plan: Plan): Order<Entry, Fold> {
  return { lateMs, slotMs, step: (fold, entry) => stepFold(plan, fold, entry), compare: inOrderOfMeasuring, isRepeat };
}

function isRepeat(a: Entry, b: Entry): boolean {
  return a.value === b.value && a.isDoubtful === b.isDoubtful;
}

/** A stream before its first value. */
export function openTrack(plan: Plan): Track {
  return openWindow(emptyFold(plan));
}

/**
 * Takes a stream and a value that came at `now` (epoch milliseconds, never going back), and returns the stream with it.
 * Values may come in any order, twice or in pieces: as long as none is more than a minute old the rules stand where
 * they would stand had each come at once. An older one is late and changes nothing.
 */
export function takeValue(track: Track, plan: Plan, entry: Entry, now: number): Track {
  return takeEntry(track, entry, now, orderOf(plan));
}

/** The episode of each parameter of a stream, in the order of its plan. */
export function episodesOf(track: Track): readonly (Episode | null)[] {
  return track.head.memory.groups.map(({ episode }) => episode);
}

/**
 * What the store has to keep of a stream, as JSON, so that `resumeTrack` can go on: the same object as long as nothing
 * changed.
 */
export function toKeep(track: Track): Memory {
  return settled(track).memory;
}

/**
 * From when on `resumeTrack` folds, given when the newest value came; it also needs the two values of each source
 * before.
 */
export function resumesFrom(newestReceivedAt: number): number {
  return countsFrom({ lateMs, slotMs }, newestReceivedAt);
}

/**
 * The stream as if no rule had been asked before `from` (epoch milliseconds): what is known of its sources, and of
 * oxygen, stays. What was measured before counts no more.
 */
export function beginAnew(track: Track, plan: Plan, from: number): Track {
  const { sources, memory } = track.head;
  return {
    newest: null,
    head: { sources, memory: { ...emptyFold(plan).memory, oxygen: memory.oxygen } },
    until: Math.max(track.until, from),
  };
}

/**
 * The stream as it was before a restart. Takes what was kept last (null: nothing yet), every value that came in time
 * since some instant before `resumesFrom` (at least the last two of each source before it, where there are), when each
 * came, the last values of the minutes before that instant, by source, and from when on it was begun anew, if it was.
 */
export function resumeTrack(
  plan: Plan,
  kept: Memory | null,
  values: readonly { entry: Entry; receivedAt: number }[],
  minutes: readonly (readonly { minute: number; last: number }[])[],
  begunAt = 0,
): Track {
  const inTime = values.filter(({ entry, receivedAt }) => entry.at >= receivedAt - lateMs);
  const newest = inTime.reduce((latest, { receivedAt }) => Math.max(latest, receivedAt), 0);
  const until = Math.max(newest === 0 ? 0 : resumesFrom(newest), begunAt);
  const fresh = emptyFold(plan);
  let sources: readonly Source[] = fresh.sources;
  const entries = inTime.map(({ entry }) => entry).sort(inOrderOfMeasuring);
  for (const entry of entries.filter(({ at }) => at < until)) {
    const isFirst = sources[entry.source]?.lastAt === null;
    sources = stepSources(plan, sources, entry);
    const source = sources[entry.source];
    if (isFirst && source !== undefined && source.trend !== null) {
      const trend = trendOf(minutes[entry.source] ?? [], source.trend.minute, source.trend.last);
      sources = sources.with(entry.source, { ...source, trend });
    }
  }
  const before: Fold = { sources, memory: kept !== null && isOf(fresh.memory, kept) ? kept : fresh.memory };
  return windowOf(
    before,
    entries.filter(({ at }) => at >= until),
    until,
    orderOf(plan),
  );
}

/**
 * Whether it was kept by the same rules: a release that adds one begins anew, where the old places would stand for
 * other rules.
 */
function isOf({ groups }: Memory, kept: Memory): boolean {
  return (
    groups.length === kept.groups.length &&
    groups.every(({ states }, place) => states.length === kept.groups[place]?.states.length)
  );
}
