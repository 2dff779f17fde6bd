import type { EpochMs } from '../time/epochMs';
import type { News2 } from '../vitals/news2Schema';
import { nextEpisode, type Active, type Episode } from './episode';
import { idle, stepRule, type RuleTimer } from './stepRule';

/**
 * The NEWS2 aggregate rule: no single value violates a limit, the sum does (clinical.md section 2.4). What counts is
 * the lowest score that the known parts allow.
 */
export const news2AggregateRule = {
  id: 'news2.aggregate',
  priority: 'medium',
  atLeast: 5,
  delayMs: 60_000,
  holdMs: 60_000,
} as const;

/** The rule's state for one patient, stored as it is. Times are epoch milliseconds. */
export interface News2Aggregate {
  state: RuleTimer;
  /** Whether SpO2 and a rate were part of the score when it last reached the limit. */
  withSpo2: boolean;
  withRate: boolean;
  episode: Episode | null;
}

/** The state before any score reached the limit. */
export const idleNews2Aggregate: News2Aggregate = { state: idle, withSpo2: false, withRate: false, episode: null };

/** How often the score is evaluated, in milliseconds. */
const everyMs = 1_000;

/**
 * Takes the rule's state and NEWS2 at `now` (never going back), and returns the state after it: the same object if
 * nothing changed. Call it at most once a second, for continuously monitored patients only. Silence needs no limit
 * here, because the score leaves out old values. A score that drops because a probe fell off ends nothing.
 */
export function stepNews2Aggregate(
  news2Aggregate: News2Aggregate,
  { range: [least], parts }: News2,
  now: EpochMs,
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
