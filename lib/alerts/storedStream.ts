import { z } from 'zod';
import type { VitalKind } from '../vitals/kinds';
import type { Group } from './evaluateGroups';
import { emptyFeeds, type Feed } from './feeds';
import type { StreamState } from './fold';
import type { Plan } from './plan';
import { idle, isIdle, type RuleTimer } from './stepRule';
import { storedEpisode, storedTime, storedTimer } from './storedEpisode';
import { streams, type StreamName } from './streams';
import type { TypedValue } from './typedValues';

const timersByRule = z.record(z.string(), storedTimer);

const last = z
  .object({
    at: storedTime,
    measuredAt: storedTime,
    value: z.number(),
    isDoubtful: z.boolean(),
    isValid: z.boolean(),
  })
  .nullable();
/** A value that was typed in and may still be withdrawn, with the feeds before it. */
const typedValue = z.object({
  kind: z.string(),
  deviceId: z.int(),
  at: storedTime,
  measuredAt: storedTime,
  value: z.number(),
  isDoubtful: z.boolean(),
  hasStoppedStating: z.boolean(),
  isOnOxygen: z.boolean(),
  before: z.array(z.object({ kind: z.string(), deviceId: z.int().nullable(), last, timers: timersByRule })),
});

/**
 * A stream as the store keeps it: by the names of kinds, parameters and rules, never by their places in a table. A name
 * that this release does not know is skipped, and what it does not find has not begun.
 */
export const storedStream = z.object({
  /** With the timers that run, by parameter and rule. */
  feeds: z.array(
    z.object({
      deviceId: z.int().nullable(),
      isAssigned: z.boolean(),
      counts: z.boolean(),
      steadySince: storedTime.nullable(),
      kind: z.string(),
      timers: z.record(z.string(), timersByRule),
    }),
  ),
  /** By parameter, each with the kind whose condition it is. */
  episodes: z.record(z.string(), storedEpisode.omit({ source: true }).extend({ kind: z.string().nullable() })),
  oxygen: z.object({ flow: z.number(), measuredAt: storedTime }).nullable(),
  /** Earlier releases kept none: what they took in stays as it was evaluated. */
  typed: z.array(typedValue).optional(),
});
export type StoredStream = z.infer<typeof storedStream>;
type StoredFeed = StoredStream['feeds'][number];

/** Returns what the store keeps of a stream's state. */
export function storedStreamOf(name: StreamName, state: StreamState): StoredStream {
  const { groups } = streams[name];
  const kinds: readonly VitalKind[] = streams[name].kinds;
  const episodes: StoredStream['episodes'] = {};
  const feeds = state.feeds.flatMap(({ source, ...known }): StoredFeed[] => {
    const kind = kinds[source];
    return kind === undefined ? [] : [{ ...known, kind, timers: {} }];
  });
  groups.forEach(({ parameter, rules }, index) => {
    const group = state.groups[index];
    if (group !== undefined && group.episode !== null) {
      const { source, ...episode } = group.episode;
      episodes[parameter] = { ...episode, kind: source === null ? null : (kinds[source] ?? null) };
    }
    group?.states.forEach((timer, place) => {
      const ofFeed = feeds[Math.floor(place / rules.length)];
      const rule = rules[place % rules.length];
      if (ofFeed !== undefined && rule !== undefined && !isIdle(timer)) {
        (ofFeed.timers[parameter] ??= {})[rule] = { ...timer };
      }
    });
  });
  const isUsed = ({ deviceId, timers }: StoredFeed): boolean => deviceId !== null || Object.keys(timers).length > 0;
  return { feeds: feeds.filter(isUsed), episodes, oxygen: state.oxygen, typed: storedTyped(kinds, state.typed) };
}

function storedTyped(kinds: readonly VitalKind[], typed: readonly TypedValue[]): StoredStream['typed'] {
  const named = <Of extends { source: number }>({
    source,
    ...of
  }: Of): (Omit<Of, 'source'> & { kind: VitalKind })[] => {
    const kind = kinds[source];
    return kind === undefined ? [] : [{ ...of, kind }];
  };
  return typed.flatMap(named).map((value) => ({
    ...value,
    before: value.before.flatMap(named).map(({ timers, ...feed }) => ({ ...feed, timers: { ...timers } })),
  }));
}

function typedOf(kinds: readonly string[], typed: StoredStream['typed'] = []): TypedValue[] {
  const placed = <Of extends { kind: string }>({ kind, ...of }: Of): (Omit<Of, 'kind'> & { source: number })[] =>
    kinds.includes(kind) ? [{ ...of, source: kinds.indexOf(kind) }] : [];
  return typed.flatMap(placed).map((value) => ({ ...value, before: value.before.flatMap(placed) }));
}

/** Returns a stream's state from what the store kept, for the rules of this plan. */
export function streamStateOf(name: StreamName, plan: Plan, stored: StoredStream): StreamState {
  const kinds: readonly string[] = streams[name].kinds;
  // The first feeds are one for each source.
  const firsts = kinds.map((kind) => stored.feeds.find((known) => known.kind === kind) ?? null);
  const others = stored.feeds.filter((known) => kinds.includes(known.kind) && !firsts.includes(known));
  const places = [...firsts, ...others];
  const empty = emptyFeeds(plan).feeds;
  const feeds = places.flatMap((known, index): Feed[] => {
    const source = known === null ? index : kinds.indexOf(known.kind);
    const fresh = empty[source];
    if (known === null || fresh === undefined) {
      return fresh === undefined ? [] : [fresh];
    }
    const { deviceId, isAssigned, counts, steadySince } = known;
    return [{ source, deviceId, isAssigned, counts, steadySince }];
  });
  const groups = plan.groups.map(({ parameter, rules }): Group => {
    const states = places.flatMap((known) =>
      rules.map(({ id }): RuleTimer => (known?.timers[parameter] ?? {})[id] ?? idle),
    );
    const isCalm = states.every(isIdle);
    const isOver = !states.some(({ phase }) => phase === 'active');
    return { states, isCalm, episode: episodeOf(stored, parameter, kinds, isOver) };
  });
  return { feeds, groups, oxygen: stored.oxygen, typed: typedOf(kinds, stored.typed) };
}

/** Nothing would end an episode without a timer that is active: its rule is not in this release. */
function episodeOf(
  { episodes }: StoredStream,
  parameter: string,
  kinds: readonly string[],
  isOver: boolean,
): Group['episode'] {
  const known = episodes[parameter];
  if (known === undefined) {
    return null;
  }
  const { kind, ...episode } = known;
  const source = kind !== null && kinds.includes(kind) ? kinds.indexOf(kind) : null;
  return { ...episode, source, endedAt: episode.endedAt ?? (isOver ? episode.since : null) };
}
