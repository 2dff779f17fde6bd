import { sameEpisodeMs } from './timing';
import type { Priority } from './priority';
import { isMoreUrgent } from './priority';

/** A rule that is told at this moment. */
export interface Active<RuleId extends string = string> {
  rule: RuleId;
  priority: Priority;
  /** Since when it is told, epoch milliseconds. */
  since: number;
}

/**
 * One stretch of trouble with one parameter: a fact about the samples, whoever saw it. Times are those of measuring,
 * epoch milliseconds.
 */
export interface Episode {
  /** The most urgent rule that is told now, or was told last. */
  rule: string;
  priority: Priority;
  /** When the first of its conditions was told. */
  startedAt: number;
  /** How often a condition began within it. */
  count: number;
  /** When the last of them began. */
  since: number;
  /** When it ended; null while it lasts. */
  endedAt: number | null;
  /** The extremes of what was judged while it lasted; null where the rule judges no value. */
  lowest: number | null;
  highest: number | null;
}

/**
 * Takes the episode so far (null: none yet), the rules that are told at `at` and the value that was judged then, and
 * returns the episode after it: the same object when nothing changed. What begins again within 5 min joins the episode
 * before it.
 */
export function nextEpisode(
  episode: Episode | null,
  active: readonly Active[],
  at: number,
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

/** Of two extremes the one that `choose` says; null where neither is known. */
export function extreme(a: number | null, b: number | null, choose: (a: number, b: number) => number): number | null {
  return a === null || b === null ? (a ?? b) : choose(a, b);
}
