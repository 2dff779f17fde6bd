import type { z } from 'zod';
import type { EpochMs } from '../time/epochMs';
import { extreme } from '../vitals/buckets';
import type { RuleId } from './ruleNames';
import type { storedEpisode } from './storedEpisode';
import { sameEpisodeMs } from './timing';
import { isMoreUrgent, type Priority } from './priority';

/** The side of the limits on which a value lies. */
export type Side = 'low' | 'high';

/** A rule whose condition is active at this moment. */
export interface Active<Rule extends string = string> {
  rule: Rule;
  priority: Priority;
  /** When it became active, epoch milliseconds. */
  since: EpochMs;
  /** The source of the values that violate it, as the plan of its stream numbers them; none for other rules. */
  source?: number;
  /** Until when the single value that it rests on waits for a second one; none if it does not. */
  unconfirmedUntil?: EpochMs | null;
}

/** A rule that the code names, whenever it is active. */
export type NamedRule = Pick<Active<RuleId>, 'rule' | 'priority'>;

/**
 * A stretch of time in which one parameter violated its rules, whether or not anyone saw it. Times are those of
 * measuring, epoch milliseconds.
 */
export type Episode = z.infer<typeof storedEpisode>;

/**
 * How long values have to be beyond the limits on the other side before that is a new raise, in milliseconds
 * (clinical.md section 0, E9): the delay of an extreme rate. An artefact turns nothing.
 */
const turnMs = 15_000;

/**
 * Takes the episode so far (null: none yet), the rules that are active at `at` and the value of that time with the
 * source that measured it and the side on which it violates them. Returns the episode after it: the same object if
 * nothing changed. A condition that begins within 5 min joins the episode before it; so does one on the other side, as
 * a condition of its own.
 */
export function nextEpisode(
  episode: Episode | null,
  active: readonly Active[],
  at: EpochMs,
  measured: number | null,
  measuredBy: number | null = null,
  measuredSide: Side | null = null,
): Episode | null {
  const top = mostUrgent(active, episode?.endedAt === null ? episode.source : null);
  if (top === null) {
    return episode === null || episode.endedAt !== null ? episode : { ...episode, endedAt: at };
  }
  const { rule, priority, source = null } = top;
  const unconfirmedUntil = waitsUntil(active, top);
  const value = measuredBy === source ? measured : null;
  const side = (measuredBy === source ? measuredSide : null) ?? undefined;
  if (episode === null || (episode.endedAt !== null && at - episode.endedAt > sameEpisodeMs)) {
    const begun = { rule, priority, startedAt: at, count: 1, since: at, endedAt: null };
    return { ...begun, source, lowest: value, highest: value, unconfirmedUntil, side };
  }
  const isSameSource = source === episode.source;
  const lowest = extreme(isSameSource ? episode.lowest : null, value, Math.min);
  const highest = extreme(isSameSource ? episode.highest : null, value, Math.max);
  // Made only if something changed: most values of a long episode change nothing.
  const after = (): Episode => ({ ...episode, rule, priority, source, lowest, highest, unconfirmedUntil });
  if (episode.endedAt !== null) {
    return { ...after(), count: episode.count + 1, since: at, endedAt: null, side, turnsSince: undefined };
  }
  const known = isSameSource ? (episode.side ?? side) : side;
  const turnsSince = side === undefined || side === known ? undefined : (episode.turnsSince ?? at);
  // Another rule has counted its own delay.
  if (turnsSince !== undefined && (at - turnsSince >= turnMs || rule !== episode.rule)) {
    return { ...after(), count: episode.count + 1, since: at, side, turnsSince: undefined };
  }
  const isSame =
    rule === episode.rule &&
    priority === episode.priority &&
    isSameSource &&
    lowest === episode.lowest &&
    highest === episode.highest &&
    unconfirmedUntil === episode.unconfirmedUntil &&
    known === episode.side &&
    turnsSince === episode.turnsSince;
  return isSame ? episode : { ...after(), side: known, turnsSince };
}

/** Returns the most urgent rule; of two alike that of the source that raised the episode. */
function mostUrgent(active: readonly Active[], source: number | null): Active | null {
  let best: Active | null = null;
  for (const one of active) {
    const isPreferred =
      best !== null &&
      source !== null &&
      one.priority === best.priority &&
      best.source !== source &&
      one.source === source;
    if (best === null || isPreferred || isMoreUrgent(one.priority, best.priority)) {
      best = one;
    }
  }
  return best;
}

/** Returns until when all rules of the highest priority wait to be confirmed, or null if one of them does not. */
function waitsUntil(active: readonly Active[], { priority }: Active): EpochMs | null {
  let until: EpochMs | null = null;
  for (const one of active) {
    if (one.priority === priority) {
      if (one.unconfirmedUntil === undefined || one.unconfirmedUntil === null) {
        return null;
      }
      until = until === null ? one.unconfirmedUntil : Math.min(until, one.unconfirmedUntil);
    }
  }
  return until;
}
