import type { EpochMs } from '../time/epochMs';
import type { Plan } from './plan';
import { isMoreUrgent, priorities, type Priority } from './priority';
import {
  createRetrospective,
  retrospectiveEpisodes,
  retrospectivePlanOf,
  stepRetrospective,
  type RetrospectiveEntry,
  type RetrospectiveEpisode,
} from './retrospective';

/** A stretch of time, epoch milliseconds. */
interface Span {
  from: EpochMs;
  to: EpochMs;
}

/** Alerts by the most urgent priority that each had. */
export type AlertCounts = Record<Priority, number>;

/** What other limits would have changed in a stretch of time. */
export interface LimitComparison {
  /** With the limits as they are: the same evaluation, so that both numbers compare like with like. */
  now: AlertCounts;
  proposed: AlertCounts;
  /** Of those in `now`: nothing at all would have been raised. */
  missed: AlertCounts;
  /** Of those in `now`: only an alert of a lower priority would have been raised. */
  milder: AlertCounts;
}

/**
 * Evaluates the values of a stream, in the order of measuring, with the limits as they are and as they are proposed.
 * Counts the alerts about the patient that were active in `span`; not what a whole standby covers, nor equipment.
 * Values before `span` only decide what was active at its beginning.
 */
export function compareLimits(
  plans: { now: Plan; proposed: Plan },
  entries: readonly RetrospectiveEntry[],
  span: Span,
  standbys: readonly Span[],
): LimitComparison {
  const now = episodesIn(plans.now, entries, span, standbys);
  const proposed = episodesIn(plans.proposed, entries, span, standbys);
  const changes = now.map((episode) => ({ episode, after: after(episode, proposed) }));
  const changedTo = (wanted: Change): RetrospectiveEpisode[] =>
    changes.filter((change) => change.after === wanted).map(({ episode }) => episode);
  return {
    now: countsOf(now),
    proposed: countsOf(proposed),
    missed: countsOf(changedTo('missed')),
    milder: countsOf(changedTo('milder')),
  };
}

function episodesIn(
  whole: Plan,
  entries: readonly RetrospectiveEntry[],
  span: Span,
  standbys: readonly Span[],
): RetrospectiveEpisode[] {
  const plan = retrospectivePlanOf(whole);
  const found = retrospectiveEpisodes(stepRetrospective(createRetrospective(plan), plan, entries));
  return found.filter(
    ({ episode, endedAt }) =>
      endedAt >= span.from &&
      episode.startedAt <= span.to &&
      !standbys.some(({ from, to }) => from <= episode.startedAt && to >= endedAt),
  );
}

type Change = 'same' | 'milder' | 'missed';

/** Returns what became of an alert, by those that other limits raise at the same time. */
function after(
  { parameter, episode, endedAt, worst }: RetrospectiveEpisode,
  others: readonly RetrospectiveEpisode[],
): Change {
  const near = others.filter(
    (other) =>
      other.parameter === parameter && other.episode.startedAt <= endedAt && other.endedAt >= episode.startedAt,
  );
  if (near.length === 0) {
    return 'missed';
  }
  return near.every((other) => isMoreUrgent(worst.priority, other.worst.priority)) ? 'milder' : 'same';
}

function countsOf(episodes: readonly RetrospectiveEpisode[]): AlertCounts {
  const counts: AlertCounts = { high: 0, medium: 0, low: 0 };
  for (const { worst } of episodes) {
    counts[worst.priority] += 1;
  }
  return counts;
}

/** Returns how many alerts these are together. */
export function totalOf(counts: Readonly<AlertCounts>): number {
  return priorities.reduce((sum, priority) => sum + counts[priority], 0);
}

/** A chart draws no line over a longer silence either (clinical.md section 8), in milliseconds. */
const leastGapMs = 30_000;

/** Returns for how long of `span` values with a signal say how the patient was, in milliseconds. */
export function coveredMs({ sources }: Plan, entries: readonly RetrospectiveEntry[], { from, to }: Span): number {
  let covered = 0;
  let until = from;
  for (const { source, at, isValid } of entries) {
    const facts = sources[source];
    if (facts === undefined || facts.isOxygenFlow || !isValid) {
      continue;
    }
    const end = Math.min(to, at + Math.max(2 * facts.expectedEveryMs, leastGapMs));
    covered += Math.max(0, end - Math.max(until, at));
    until = Math.max(until, end);
  }
  return covered;
}
