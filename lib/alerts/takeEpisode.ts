import type { EpochMs } from '../time/epochMs';
import { closeAlert, isOpen, type Alert, type AlertChange, type AlertEvent } from './alert';
import { extreme, type Episode } from './episode';
import { isMoreUrgentRule } from './isMoreUrgentRule';
import { isTechnical, type Parameter } from './parameters';
import { isMoreUrgent, type Priority } from './priority';
import type { RetrospectiveEpisode } from './retrospective';

/**
 * Takes the last alert of a patient's parameter, open or closed, and the episode that the rules report. Returns the
 * alert after it, or null if nothing happened. In standby (`isHeld`) nothing is raised or upgraded, but conditions end.
 * The same episode again changes nothing.
 */
export function takeEpisode(
  alert: Alert | null,
  parameter: Parameter,
  episode: Episode | null,
  now: EpochMs,
  { isHeld }: { isHeld: boolean },
): AlertChange | null {
  if (episode === null || episode.endedAt !== null) {
    return isOpen(alert) && alert.condition === 'active' ? end(alert, episode, now) : null;
  }
  if (isOpen(alert) && alert.condition === 'active') {
    return updateActive(alert, episode, now, isHeld);
  }
  if (alert !== null && alert.since === episode.since) {
    return alert.closed?.because === 'administrative' ? null : resume(alert, now);
  }
  if (isHeld) {
    return null;
  }
  const { rule, priority } = episode;
  if (alert === null || (!isOpen(alert) && isAnother(episode, alert))) {
    return { alert: raise(parameter, episode, now), events: [{ is: 'raised', rule, priority, at: now }] };
  }
  return raiseAgain(alert, episode, now);
}

function raise(parameter: Parameter, episode: Episode, now: EpochMs): Alert {
  return {
    parameter,
    ...factsOf(episode),
    ruleRaisedAt: now,
    priority: episode.priority,
    condition: 'active',
    startedAt: episode.startedAt,
    endedAt: null,
    lowest: null,
    highest: null,
    episodes: episode.count,
    earlier: 0,
    latched: false,
    acknowledged: null,
    responsibility: null,
    audioPaused: null,
    outcome: null,
    escalationStartedAt: now,
    escalationStep: 0,
    remindedAt: null,
    reminders: 0,
    closed: null,
  };
}

/**
 * Takes an episode from values that arrived too late, and returns an entry for the list of closed alerts. It never
 * sounds and asks no one. `known` is the entry that the same episode already has; it is extended. Returns null if
 * `known` covers it all.
 */
export function takeRetrospectiveEpisode(
  known: Alert | null,
  { parameter, episode, endedAt, worst }: RetrospectiveEpisode,
  now: EpochMs,
): AlertChange | null {
  const { rule, priority } = worst;
  const found: Alert = {
    ...raise(parameter, { ...episode, rule, priority }, now),
    condition: 'ended',
    endedAt,
    lowest: episode.lowest,
    highest: episode.highest,
    closed: { at: now, because: 'retrospective' },
  };
  const event: AlertEvent = { is: 'retrospective', rule, priority, at: now };
  if (known === null) {
    return { alert: found, events: [event, { is: 'closed', because: 'retrospective', at: now }] };
  }
  const isWorst = isMoreUrgentRule(found, known);
  const more: Alert = {
    ...known,
    ...(isWorst ? { rule, priority, conditionPriority: priority } : {}),
    startedAt: Math.min(known.startedAt, found.startedAt),
    since: endedAt > (known.endedAt ?? 0) ? Math.max(known.since, found.since) : known.since,
    endedAt: Math.max(known.endedAt ?? endedAt, endedAt),
    lowest: extreme(known.lowest, found.lowest, Math.min),
    highest: extreme(known.highest, found.highest, Math.max),
    episodes: Math.max(known.episodes, found.episodes),
  };
  const compared = ['startedAt', 'since', 'endedAt', 'lowest', 'highest', 'episodes'] as const;
  const isSame = !isWorst && compared.every((fact) => more[fact] === known[fact]);
  return isSame ? null : { alert: more, events: [event] };
}

/** The facts that no longer hold when a condition lasts again. */
const ongoing = {
  condition: 'active',
  endedAt: null,
  lowest: null,
  highest: null,
  latched: false,
  outcome: null,
  closed: null,
} as const;

function resume(alert: Alert, now: EpochMs): AlertChange {
  const resumed: Alert = { ...alert, ...ongoing };
  return { alert: resumed, events: [{ is: 'resumed', at: now }] };
}

function raiseAgain(alert: Alert, episode: Episode, now: EpochMs): AlertChange {
  const { rule, priority } = episode;
  const earlier = isAnother(episode, alert) ? alert.episodes : alert.earlier;
  const again: Alert = {
    ...resetEscalation(alert, now),
    ...factsOf(episode),
    ruleRaisedAt: now,
    priority: alert.priority === 'high' && isOpen(alert) && alert.acknowledged === null ? 'high' : priority,
    ...ongoing,
    earlier,
    episodes: earlier + episode.count,
  };
  return { alert: again, events: [{ is: 'raised_again', rule, priority, episodes: again.episodes, at: now }] };
}

/** Returns whether the alert was about an earlier episode. A standby may have held back the start of this one. */
function isAnother(episode: Episode, alert: Alert): boolean {
  return episode.count === 1 || alert.since < episode.startedAt;
}

function factsOf({ rule, priority, since }: Episode): Pick<Alert, 'rule' | 'conditionPriority' | 'since'> {
  return { rule, conditionPriority: priority, since };
}

/**
 * An upgrade, or a condition that begins again, needs someone who knows of it: former acknowledgements do not count.
 */
function resetEscalation(alert: Alert, now: EpochMs): Alert {
  return {
    ...alert,
    acknowledged: null,
    responsibility: null,
    audioPaused: null,
    escalationStartedAt: now,
    escalationStep: 0,
    remindedAt: null,
  };
}

const moreUrgent = (a: Priority, b: Priority): Priority => (isMoreUrgent(a, b) ? a : b);

function updateActive(alert: Alert, episode: Episode, now: EpochMs, isHeld: boolean): AlertChange | null {
  const facts = { ...factsOf(episode), episodes: alert.earlier + episode.count };
  if (facts.episodes > alert.episodes && !isHeld) {
    // It ended and began again between two evaluations.
    return raiseAgain(alert, episode, now);
  }
  const { rule, priority } = episode;
  if (rule === alert.rule && priority === alert.conditionPriority) {
    const isSame = alert.since === facts.since && alert.episodes === facts.episodes;
    return isSame ? null : { alert: { ...alert, ...facts }, events: [] };
  }
  const event = { rule, from: alert.conditionPriority, to: priority, at: now };
  if (!isMoreUrgentRule(episode, { rule: alert.rule, priority: alert.conditionPriority })) {
    const shown = alert.priority === 'high' && alert.acknowledged === null ? 'high' : priority;
    return {
      alert: { ...alert, ...facts, ruleRaisedAt: now, priority: shown },
      events: [{ is: 'downgraded', ...event }],
    };
  }
  if (isHeld) {
    return null;
  }
  const worsened: Alert = {
    ...resetEscalation(alert, now),
    ...facts,
    ruleRaisedAt: now,
    priority: moreUrgent(alert.priority, priority),
  };
  return { alert: worsened, events: [{ is: 'upgraded', ...event }] };
}

function end(alert: Alert, episode: Episode | null, now: EpochMs): AlertChange {
  const isReal = episode !== null && episode.endedAt !== null && episode.endedAt >= alert.since;
  const { lowest, highest } = isReal ? episode : { lowest: null, highest: null };
  const ended: Alert = { ...alert, condition: 'ended', endedAt: isReal ? episode.endedAt : now, lowest, highest };
  const event: AlertEvent = isReal ? { is: 'ended', lowest, highest, at: now } : { is: 'withdrawn', at: now };
  // Someone has to see that a patient was in danger, even if it is over. Equipment that works again needs no one.
  const needsSomebody = alert.acknowledged === null && alert.priority !== 'low' && !isTechnical(alert.parameter);
  return needsSomebody
    ? { alert: { ...ended, latched: alert.priority === 'high' }, events: [event] }
    : closeAlert(ended, [event], { because: 'ended' }, now);
}
