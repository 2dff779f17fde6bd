import type { EpochMs } from '../time/epochMs';
import { nextEpisode, type Active, type Episode } from './episode';
import { withIdleFeed, type Group } from './evaluateGroups';
import { placeOf, silentTiming } from './feeds';
import type { Entry, Plan } from './plan';
import type { Stream } from './stream';

/**
 * Returns a stream after a value that was typed in was withdrawn. If it is still the last one that was typed in of its
 * kind, what it raised is over: an episode of this value alone never was. A later one has answered it. `now` is epoch
 * milliseconds.
 */
export function withdrawValue(stream: Stream, plan: Plan, entry: Entry, now: EpochMs): Stream {
  const { timings, state } = stream.head;
  const index = placeOf(state.feeds, entry);
  const timing = timings[index];
  if (timing?.last?.measuredAt !== entry.measuredAt) {
    return stream;
  }
  const idle = withIdleFeed(plan, state.groups, index);
  const groups = idle.map((group, place): Group => {
    const active = activeIn(plan, state.feeds, group, place);
    return group.episode === null || group.episode.endedAt !== null
      ? group
      : {
          states: group.states,
          isCalm: group.states.every(({ phase }) => phase === 'idle'),
          episode: withoutValue(group.episode, active, now),
        };
  });
  return {
    newest: null,
    head: { timings: timings.with(index, { ...silentTiming, trend: timing.trend }), state: { ...state, groups } },
    until: Math.max(stream.until, now),
  };
}

function withoutValue(episode: Episode, active: readonly Active[], now: EpochMs): Episode | null {
  return active.length === 0 && episode.count === 1 ? null : nextEpisode(episode, active, now, null);
}

function activeIn(plan: Plan, feeds: Stream['head']['state']['feeds'], { states }: Group, place: number): Active[] {
  const rules = plan.groups[place]?.rules ?? [];
  return states.flatMap(({ phase, since, unconfirmedUntil }, position): Active[] => {
    const rule = rules[position % rules.length];
    const feed = feeds[Math.floor(position / rules.length)];
    return phase === 'active' && rule !== undefined && feed !== undefined
      ? [{ rule: rule.id, priority: rule.priority, since, source: feed.source, unconfirmedUntil }]
      : [];
  });
}
