import type { News2 } from '../vitals/news2Schema';
import { nextEpisode, type Active, type Episode } from './episode';
import { idle, stepRule, type RuleTimer } from './stepRule';

/**
 * Several values of which none is bad enough by itself: clinical.md section 2.4. What counts is the least that the
 * known parts prove.
 */
export const news2AggregateRule = {
  id: 'news2.aggregate',
  priority: 'medium',
  atLeast: 5,
  delayMs: 60_000,
  holdMs: 60_000,
} as const;

/** Where the rule stands with a patient; kept in the store as it is. Times are epoch milliseconds. */
export interface News2Aggregate {
  state: RuleTimer;
  /** Whether SpO2 and a rate were part of the score when it was last high enough. */
  withSpo2: boolean;
  withRate: boolean;
  episode: Episode | null;
}

/** A patient of whom no score was high enough yet. */
export const idleNews2Aggregate: News2Aggregate = { state: idle, withSpo2: false, withRate: false, episode: null };

/** How often the score is asked for. */
const everyMs = 1_000;

/**
 * Takes where the rule stands and NEWS2 as it is at `now` (epoch milliseconds, never going back), and returns where it
 * stands then: the same object when nothing changed. To be asked at most once a second, and only of a patient who is
 * watched continuously. A silence needs no limit here, because what is too old is no part of the score; but a score
 * that is lower because a probe fell off is no recovery, so it ends nothing.
 */
export function stepNews2Aggregate(
  news2Aggregate: News2Aggregate,
  { range: [least], parts }: News2,
  now: number,
): News2Aggregate {
  const hasSpo2 = parts.spo2 !== undefined;
  const hasRate = parts.pulseRate !== undefined || parts.heartRate !== undefined;
  const violates = least >= news2AggregateRule.atLeast;
  const isBlind = (news2Aggregate.withSpo2 && !hasSpo2) || (news2Aggregate.withRate && !hasRate);
  const state = stepRule(news2Aggregate.state, news2AggregateRule, {
    at: now,
    gapMs: 0,
    everyMs,
    violates,
    clears: !violates && !isBlind,
  });
  const active: Active[] =
    state.phase === 'active'
      ? [{ rule: news2AggregateRule.id, priority: news2AggregateRule.priority, since: state.since }]
      : [];
  const episode = nextEpisode(news2Aggregate.episode, active, now, active.length === 0 ? null : least);
  if (
    state === news2Aggregate.state &&
    episode === news2Aggregate.episode &&
    !(violates && (hasSpo2 !== news2Aggregate.withSpo2 || hasRate !== news2Aggregate.withRate))
  ) {
    return news2Aggregate;
  }
  if (state.phase === 'idle') {
    return { state, withSpo2: false, withRate: false, episode };
  }
  return violates ? { state, withSpo2: hasSpo2, withRate: hasRate, episode } : { ...news2Aggregate, state, episode };
}
