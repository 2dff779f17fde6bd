import type { EpochMs } from '../time/epochMs';
import { extreme, type Episode } from './episode';
import { isMoreUrgentRule } from './isMoreUrgentRule';
import { isMoreUrgent, type Priority } from './priority';
import { isTechnical, type Parameter } from './parameters';
import type { RetrospectiveEpisode } from './retrospective';

/** What came of an alert, as the person who resolves it says (clinical.md section 4). */
export const outcomes = [
  'intervention',
  'no_action_needed',
  'artefact',
  'sensor_fixed',
  'known_accepted',
  'transferred',
] as const;
export type Outcome = (typeof outcomes)[number];

/**
 * An alert about one parameter of a patient. What the samples say and what people did are separate facts; the status on
 * a screen follows from both. `startedAt`, `since` and `endedAt` are times of measuring, all others are times of the
 * server's clock.
 */
export interface Alert {
  parameter: Parameter;
  rule: string;
  /**
   * The priority that is shown. An alert stays HIGH until someone acknowledges it, even if the condition becomes
   * milder.
   */
  priority: Priority;
  /** The priority of the condition as it is now, or as it was last. */
  conditionPriority: Priority;
  condition: 'active' | 'ended';
  startedAt: EpochMs;
  /** When the last condition began. */
  since: EpochMs;
  endedAt: EpochMs | null;
  /** The extremes of the last episode after its end; null if the rule evaluates no value. */
  lowest: number | null;
  highest: number | null;
  /**
   * How many conditions began within this alert; `earlier` counts those of episodes that ended more than 5 min before.
   */
  episodes: number;
  earlier: number;
  /** Stays open until someone acknowledges it, although the condition has ended. */
  latched: boolean;
  acknowledged: { by: number; at: EpochMs } | null;
  responsibility:
    { is: 'accepted'; by: number; at: EpochMs } | { is: 'rejected'; by: number; at: EpochMs; reason: string } | null;
  audioPaused: { by: number; until: number } | null;
  outcome: { is: Outcome; by: number; at: EpochMs; note: string } | null;
  /** When `rule` was raised, upgraded or downgraded to. */
  ruleRaisedAt: EpochMs;
  /** The times of the escalation plan count from here. */
  escalationStartedAt: EpochMs;
  /** How many steps of the escalation plan have been asked. */
  escalationStep: number;
  /** When it began to sound again although it was acknowledged, and how often that has happened. */
  remindedAt: EpochMs | null;
  reminders: number;
  closed: { at: EpochMs; because: Closing } | null;
}

/** Why it asks no one any more. `retrospective`: the condition was over when its values arrived, so it never asked. */
export const closings = ['ended', 'acknowledged', 'resolved', 'administrative', 'retrospective'] as const;
export type Closing = (typeof closings)[number];

/** A line of an alert's log, which is append-only. */
export type AlertEvent = { at: EpochMs } & (
  | { is: 'raised'; rule: string; priority: Priority }
  | { is: 'raised_again'; rule: string; priority: Priority; episodes: number }
  /** Late values show that the condition had not ended. */
  | { is: 'resumed' }
  | { is: 'upgraded'; rule: string; from: Priority; to: Priority }
  | { is: 'downgraded'; rule: string; from: Priority; to: Priority }
  | { is: 'ended'; lowest: number | null; highest: number | null }
  /** Late values show that the condition never was. */
  | { is: 'withdrawn' }
  /** Values that arrived too late to sound show a condition; a further line: more of it. */
  | { is: 'retrospective'; rule: string; priority: Priority }
  | { is: 'asked'; step: number }
  | { is: 'reminded'; reminder: number }
  | { is: 'acknowledged'; by: number }
  | { is: 'accepted'; by: number }
  | { is: 'rejected'; by: number; reason: string }
  | { is: 'audio_paused'; by: number; until: number }
  | { is: 'resolved'; by: number; outcome: Outcome; note: string }
  | { is: 'closed'; because: Closing; reason?: string }
);

/** An alert after something happened, and the new lines of its log. */
export interface AlertChange {
  alert: Alert;
  events: AlertEvent[];
}

/** Returns whether the alert exists and still needs someone. */
export function isOpen(alert: Alert | null): alert is Alert {
  return alert !== null && alert.closed === null;
}

/** Returns whether the condition was over when its values arrived, so that the alert never asked anyone. */
export function isRetrospective({ closed }: Alert): boolean {
  return closed?.because === 'retrospective';
}

/** Returns whether the alert is acknowledged and has sent no reminder since. */
function isSeen({ acknowledged, remindedAt }: Alert): boolean {
  return acknowledged !== null && remindedAt === null;
}

/** Returns whether the alert sounds at `now`. A MEDIUM alert that ended unseen stays listed in silence. */
export function isSounding(alert: Alert, now: EpochMs): boolean {
  const isPaused = alert.audioPaused !== null && alert.audioPaused.until > now;
  return isOpen(alert) && (alert.condition === 'active' || alert.latched) && !isPaused && !isSeen(alert);
}

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
    : close(ended, [event], { because: 'ended' }, now);
}

function close(
  alert: Alert,
  events: AlertEvent[],
  why: Pick<Extract<AlertEvent, { is: 'closed' }>, 'because' | 'reason'>,
  now: EpochMs,
): AlertChange {
  return {
    alert: { ...alert, latched: false, closed: { at: now, because: why.because } },
    events: [...events, { is: 'closed', ...why, at: now }],
  };
}

export type ActionFault = 'alert_closed' | 'accepted_by_somebody_else' | 'pause_too_long';

/**
 * Silences the alert. It stays listed while the condition lasts, with the condition's present priority. It is not
 * accepted by that. An alert whose condition has ended is closed.
 */
export function acknowledge(alert: Alert, by: number, now: EpochMs): AlertChange | ActionFault {
  if (!isOpen(alert)) {
    return 'alert_closed';
  }
  if (isSeen(alert)) {
    return { alert, events: [] };
  }
  const seen: Alert = { ...alert, priority: alert.conditionPriority, acknowledged: { by, at: now }, remindedAt: null };
  const events: AlertEvent[] = [{ is: 'acknowledged', by, at: now }];
  return alert.condition === 'active' ? { alert: seen, events } : close(seen, events, { because: 'acknowledged' }, now);
}

/** Makes `by` responsible, also in the place of another user, and stops the escalation. */
export function accept(alert: Alert, by: number, now: EpochMs): AlertChange | ActionFault {
  if (!isOpen(alert)) {
    return 'alert_closed';
  }
  return {
    alert: { ...alert, responsibility: { is: 'accepted', by, at: now } },
    events: [{ is: 'accepted', by, at: now }],
  };
}

/** Records that a user who was asked cannot come: the next step of the plan is due at once (`escalate`). */
export function reject(alert: Alert, by: number, reason: string, now: EpochMs): AlertChange | ActionFault {
  if (!isOpen(alert)) {
    return 'alert_closed';
  }
  if (alert.responsibility?.is === 'accepted' && alert.responsibility.by !== by) {
    return 'accepted_by_somebody_else';
  }
  return {
    alert: { ...alert, responsibility: { is: 'rejected', by, at: now, reason } },
    events: [{ is: 'rejected', by, reason, at: now }],
  };
}

/** The longest pause of a sound (clinical.md section 3). No sound can be switched off. */
export const longestPauseMs = 120_000;

export function pauseAudio(alert: Alert, by: number, forMs: number, now: EpochMs): AlertChange | ActionFault {
  if (!isOpen(alert)) {
    return 'alert_closed';
  }
  if (!(forMs > 0 && forMs <= longestPauseMs)) {
    return 'pause_too_long';
  }
  const until = now + forMs;
  return { alert: { ...alert, audioPaused: { by, until } }, events: [{ is: 'audio_paused', by, until, at: now }] };
}

/**
 * Records the outcome. Closes the alert if its condition has ended; otherwise silences it, and it closes with its
 * condition.
 */
export function resolve(
  alert: Alert,
  by: number,
  { is, note }: { is: Outcome; note: string },
  now: EpochMs,
): AlertChange | ActionFault {
  if (!isOpen(alert)) {
    return 'alert_closed';
  }
  const resolved: Alert = {
    ...alert,
    priority: alert.conditionPriority,
    outcome: { is, by, at: now, note },
    acknowledged: isSeen(alert) ? alert.acknowledged : { by, at: now },
    remindedAt: null,
  };
  const events: AlertEvent[] = [{ is: 'resolved', by, outcome: is, note, at: now }];
  return alert.condition === 'active'
    ? { alert: resolved, events }
    : close(resolved, events, { because: 'resolved' }, now);
}

/** Closes the alert because the patient is discharged or the device is taken off. */
export function closeAdministratively(alert: Alert, reason: string, now: EpochMs): AlertChange | ActionFault {
  if (!isOpen(alert)) {
    return 'alert_closed';
  }
  const endedAt = alert.endedAt ?? now;
  return close({ ...alert, condition: 'ended', endedAt }, [], { because: 'administrative', reason }, now);
}
