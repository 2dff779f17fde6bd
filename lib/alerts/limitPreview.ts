import type { EpochMs } from '../time/epochMs';
import type { LimitPreview } from './limitPreviewSchema';
import type { Plan } from './plan';
import { isMoreUrgent, perPriority, type Counts } from './priority';
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
): Pick<LimitPreview, 'now' | 'proposed' | 'missed' | 'milder'> {
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

/** Returns the alerts by the most urgent priority that each had. */
function countsOf(episodes: readonly RetrospectiveEpisode[]): Counts {
  return perPriority((priority) => episodes.filter(({ worst }) => worst.priority === priority).length);
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
