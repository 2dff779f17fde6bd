import type { EpochMs } from '../time/epochMs';
import { isOpen, type Alert, type AlertChange } from './alert';
import type { Episode } from './episode';
import type { Worst } from './evidence';
import { isBeyondAny } from './limit';
import type { Rule, RuleGroup } from './plan';
import { isMoreUrgent, priorities, type Priority } from './priority';
import { takeEpisode } from './takeEpisode';

/**
 * Takes an open alert of a parameter and its episode after the limits changed to those of another SpO2 scale
 * (clinical.md section 0, W). The alert gets the priority that it would have by the new limits: a HIGH one that no one
 * has acknowledged does not stay HIGH if it never was one by them. Nothing is raised or upgraded here. Returns null if
 * nothing changes.
 */
export function takeRescaled(
  alert: Alert | null,
  group: RuleGroup,
  episode: Episode,
  now: EpochMs,
): AlertChange | null {
  if (!isOpen(alert) || alert.acknowledged !== null || alert.condition === 'ended') {
    return null;
  }
  const isMeasured = episode.lowest !== null || episode.highest !== null;
  const worst = isMeasured ? priorityOf(group, episode) : alert.priority;
  const priority = isMoreUrgent(alert.priority, worst) ? worst : alert.priority;
  // A milder tier need not last here: the scale has changed, not the patient.
  const rescaled: Alert = { ...alert, priority, downgradedAt: null };
  const change = takeEpisode(rescaled, group.parameter, episode, now, { isHeld: true });
  if (change === null && priority !== alert.priority) {
    const event = { is: 'downgraded', rule: alert.rule, from: alert.priority, to: priority, at: now } as const;
    return { alert: { ...rescaled, downgradedAt: now }, events: [event] };
  }
  return change;
}

/**
 * Returns the worst of an alert by the limits of the new scale: its most urgent rule that a value of the episode
 * violates. What explained it by the old limits would contradict its new priority.
 */
export function rescaledWorst(
  { priority }: Pick<Alert, 'priority'>,
  group: RuleGroup,
  { lowest, highest }: Episode,
): Worst | undefined {
  const found = violatedRules(group, { lowest, highest }).find((rule) => !isMoreUrgent(rule.priority, priority));
  return found && { rule: found.id, priority: found.priority, limits: found.limits, lowest, highest };
}

/** Returns the highest priority that a value of an episode has by these limits, or that is active. */
function priorityOf(group: RuleGroup, episode: Episode): Priority {
  const { priority, endedAt } = episode;
  const violated = violatedRules(group, episode).map((rule) => rule.priority);
  const found = endedAt === null ? [...violated, priority] : violated;
  return priorities.find((each) => found.includes(each)) ?? 'low';
}

function violatedRules({ rules }: RuleGroup, { lowest, highest }: Pick<Episode, 'lowest' | 'highest'>): Rule[] {
  return rules.filter(({ input, limits }) => {
    const raise = input === 'value' ? (limits?.raise ?? []) : [];
    return [lowest, highest].some((value) => value !== null && isBeyondAny(raise, value));
  });
}
