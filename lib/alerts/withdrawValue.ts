import type { EpochMs } from '../time/epochMs';
import { nextEpisode, type Active, type Episode } from './episode';
import { activeOf, type Group } from './evaluateGroups';
import { isTyped, placeOf, type Feeds } from './feeds';
import type { Fold } from './fold';
import type { Entry, Plan } from './plan';
import { dropEntries, type Stream } from './stream';
import { withoutTypedValue, type TypedValue } from './typedValues';

type Key = Pick<Entry, 'source' | 'deviceId' | 'measuredAt'>;

/**
 * Returns a stream after a value that was typed in was withdrawn: what is active is what would be if it had never been
 * taken. What it raised alone is over, what another value still justifies lasts, and what it answered lasts again. Of
 * earlier values than the last two hours of typed ones nothing changes.
 */
export function withdrawValue(stream: Stream, plan: Plan, withdrawn: Entry): Stream {
  const isIt = ({ source, deviceId, measuredAt }: Key): boolean =>
    source === withdrawn.source && deviceId === withdrawn.deviceId && measuredAt === withdrawn.measuredAt;
  return dropEntries(stream, plan, isIt, (fold) => without(fold, plan, withdrawn, isIt, stream.until));
}

function without(fold: Fold, plan: Plan, withdrawn: Entry, isIt: (value: TypedValue) => boolean, at: EpochMs): Fold {
  const { timings, state } = fold;
  const { feeds, groups, typed } = state;
  const after = withoutTypedValue(plan, typed, { feeds, timings, groups }, isIt);
  if (after === null) {
    return fold;
  }
  const values = after.typed.filter(({ source }) => source === withdrawn.source);
  const changed = after.groups.map((group, index): Group => {
    const { rules = [] } = plan.groups[index] ?? {};
    const active = activeOf(plan, group.states, rules, after, at, group.episode);
    const isOfTyped = (place: number): boolean => {
      const feed = feeds[Math.floor(place / rules.length)];
      return feed !== undefined && isTyped(feed);
    };
    const began = (groups[index]?.states ?? []).filter(({ phase }, place) => phase === 'active' && isOfTyped(place));
    const known = withoutExtreme(group.episode, withdrawn, values, hasOther(after, withdrawn, group.episode));
    const starts = new Set(began.map(({ since }) => since));
    return { ...group, episode: episodeWithout(known, active, starts, at) };
  });
  return { timings: after.timings, state: { ...state, groups: changed, typed: after.typed } };
}

/** An episode that only what was typed in began never was, or began with the value that is left. */
function episodeWithout(
  episode: Episode | null,
  active: readonly Active[],
  starts: ReadonlySet<EpochMs>,
  at: EpochMs,
): Episode | null {
  if (episode === null || episode.endedAt !== null) {
    return nextEpisode(episode, active, at, null);
  }
  if (active.length === 0) {
    const isItself = episode.count === 1 && starts.has(episode.startedAt);
    return isItself ? null : nextEpisode(episode, active, at, null);
  }
  const earliest = Math.min(...active.map(({ since }) => since));
  const startedAt = starts.has(episode.startedAt) ? earliest : episode.startedAt;
  const since = starts.has(episode.since) ? earliest : episode.since;
  return nextEpisode({ ...episode, startedAt, since }, active, at, null);
}

/** The extremes of an episode are of the values that are left, unless a device of the source has sent some too. */
function withoutExtreme(
  episode: Episode | null,
  { source, value }: Entry,
  left: readonly TypedValue[],
  hasDevice: boolean,
): Episode | null {
  if (episode === null || episode.source !== source || hasDevice) {
    return episode;
  }
  const values = left.filter(({ measuredAt }) => measuredAt >= episode.startedAt).map((one) => one.value);
  const { lowest, highest } = episode;
  const of = (known: number | null, choose: (...all: number[]) => number): number | null =>
    known !== value ? known : values.length === 0 ? null : choose(...values);
  return { ...episode, lowest: of(lowest, Math.min), highest: of(highest, Math.max) };
}

/** Returns whether a device of the withdrawn value's source has sent values since the episode began. */
function hasOther({ feeds, timings }: Feeds, withdrawn: Entry, episode: Episode | null): boolean {
  const typed = placeOf(feeds, withdrawn);
  return feeds.some(
    ({ source }, index) =>
      source === withdrawn.source && index !== typed && (timings[index]?.last?.at ?? 0) >= (episode?.startedAt ?? 0),
  );
}
