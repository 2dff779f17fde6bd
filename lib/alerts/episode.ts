import type { EpochMs } from '../time/epochMs';
import { sameEpisodeMs } from './timing';
import type { Priority } from './priority';
import { isMoreUrgent } from './priority';

/** A rule whose condition is active at this moment. */
export interface Active<RuleId extends string = string> {
  rule: RuleId;
  priority: Priority;
  /** When it became active, epoch milliseconds. */
  since: EpochMs;
}

/**
 * A stretch of time in which one parameter violated its rules, whether or not anyone saw it. Times are those of
 * measuring, epoch milliseconds.
 */
export interface Episode {
  /** The most urgent rule that is active now, or was active last. */
  rule: string;
  priority: Priority;
  /** When the first of its conditions became active. */
  startedAt: EpochMs;
  /** How many conditions began within it. */
  count: number;
  /** When the last condition began. */
  since: EpochMs;
  /** When it ended; null while it lasts. */
  endedAt: EpochMs | null;
  /** The extremes of the values while it lasted; null if the rule evaluates no value. */
  lowest: number | null;
  highest: number | null;
}

/**
 * Takes the episode so far (null: none yet), the rules that are active at `at` and the value of that time. Returns the
 * episode after it: the same object if nothing changed. A condition that begins within 5 min joins the episode before
 * it.
 */
export function nextEpisode(
  episode: Episode | null,
  active: readonly Active[],
  at: EpochMs,
  value: number | null,
): Episode | null {
  const top = active.reduce<Active | null>(
    (best, one) => (best === null || isMoreUrgent(one.priority, best.priority) ? one : best),
    null,
  );
  if (top === null) {
    return episode === null || episode.endedAt !== null ? episode : { ...episode, endedAt: at };
  }
  const { rule, priority } = top;
  if (episode === null || (episode.endedAt !== null && at - episode.endedAt > sameEpisodeMs)) {
    return { rule, priority, startedAt: at, count: 1, since: at, endedAt: null, lowest: value, highest: value };
  }
  const lowest = extreme(episode.lowest, value, Math.min);
  const highest = extreme(episode.highest, value, Math.max);
  if (episode.endedAt !== null) {
    return { ...episode, rule, priority, count: episode.count + 1, since: at, endedAt: null, lowest, highest };
  }
  const isSame =
    rule === episode.rule && priority === episode.priority && lowest === episode.lowest && highest === episode.highest;
  return isSame ? episode : { ...episode, rule, priority, lowest, highest };
}

/** Returns what `choose` picks of two extremes, the known one of the two, or null. */
export function extreme(a: number | null, b: number | null, choose: (a: number, b: number) => number): number | null {
  return a === null || b === null ? (a ?? b) : choose(a, b);
}
