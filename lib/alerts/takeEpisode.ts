import type { EpochMs } from '../time/epochMs';
import { closeAlert, isOpen, unheard, type Alert, type AlertChange, type AlertEvent } from './alert';
import { endedByPeople } from './endedByPeople';
import { extreme } from '../vitals/buckets';
import type { Episode } from './episode';
import { createEscalation, type Escalation } from './escalation';
import { repeatBounds } from './escalationBounds';
import { isMoreUrgentRule } from './isMoreUrgentRule';
import { isTechnical, type Parameter } from './parameters';
import { withBout, withEnd, type Signal } from './poorSignal';
import { isMoreUrgent, type Priority } from './priority';
import type { RetrospectiveEpisode } from './retrospective';

/**
 * Takes the last alert of a patient's parameter, open or closed, and the episode that the rules report. Returns the
 * alert after it, or null if nothing happened. In standby (`isHeld`) nothing is raised or upgraded, but conditions end.
 * The same episode again changes nothing. `signal` runs if it is raised.
 */
export function takeEpisode(
  alert: Alert | null,
  parameter: Parameter,
  episode: Episode | null,
  now: EpochMs,
  { isHeld, signal }: { isHeld: boolean; signal?: () => Signal },
): AlertChange | null {
  if (episode === null || episode.endedAt !== null) {
    return isOpen(alert) && alert.condition === 'active' ? end(alert, episode, now) : null;
  }
  const boutsOf = (): Alert['bouts'] =>
    signal === undefined ? [] : withBout(alert, { at: now, ...signal(), is: 'short' });
  if (isOpen(alert) && alert.condition === 'active') {
    return updateActive(alert, episode, now, isHeld, boutsOf);
  }
  if (alert !== null && alert.since === episode.since) {
    const isOver = alert.closed?.because === 'resolved' && endedByPeople.has(alert.rule);
    return isOver || alert.closed?.because === 'administrative' ? null : resume(alert, now);
  }
  if (isHeld) {
    return null;
  }
  const { rule, priority } = episode;
  const raises = raisesAfter(alert?.escalation, episode, now);
  if (alert === null || (!isOpen(alert) && isAnother(episode, alert))) {
    const escalation = createEscalation(priority, raises, now);
    const quiet = { soundsFrom: soundsFrom(alert, episode, now), bouts: boutsOf() };
    const raised = { ...raise(parameter, episode, escalation, now), ...quiet };
    return { alert: raised, events: [{ is: 'raised', rule, priority, at: now }] };
  }
  return raiseAgain(alert, episode, now, boutsOf());
}

/** How long a milder tier has to wait after one that lasted for a moment only, in milliseconds (clinical.md, S3). */
const flapMs = 10 * 60_000;

export function raise(parameter: Parameter, episode: Episode, escalation: Escalation, now: EpochMs): Alert {
  return {
    version: 1,
    parameter,
    ...factsOf(episode),
    ruleRaisedAt: now,
    priority: episode.priority,
    condition: 'active',
    startedAt: episode.startedAt,
    endedAt: null,
    isWithdrawn: false,
    lowest: null,
    highest: null,
    episodes: episode.count,
    earlier: 0,
    latched: false,
    acknowledged: null,
    responsibility: null,
    notSeenSince: null,
    reassigned: null,
    soundsFrom: null,
    audioPaused: null,
    outcome: null,
    lastRaisedAt: now,
    downgradedAt: null,
    escalation,
    bouts: [],
    remindedAt: null,
    reminders: 0,
    closed: null,
    undo: null,
  };
}

/** Sources that disagree again and again sound once in this time, in milliseconds (clinical.md section 00, A6). */
const quietMs = 30 * 60_000;

/** Returns from when on an alert that is raised now sounds; null: at once, whatever was before. */
function soundsFrom(before: Alert | null, { rule }: Episode, now: EpochMs): EpochMs | null {
  const last = before?.soundsFrom ?? null;
  if (rule !== 'spo2.disagree' || before === null || last === null) {
    return rule === 'spo2.disagree' ? now : null;
  }
  // One that ended before its time has made no sound. A clock that was set back keeps none quiet for longer.
  return Math.min(Math.max(now, (before.endedAt ?? now) < last ? last : last + quietMs), now + quietMs);
}

/** As long as a site's rule about repeated raises may look back (E4), in milliseconds. */
const raisesKeptMs = repeatBounds.withinMinutes.max * 60_000;

/** Returns the HIGH raises of that time with that of `episode`, for a patient who becomes ill again and again. */
function raisesAfter(before: Escalation | undefined, { priority }: Episode, now: EpochMs): EpochMs[] {
  const near = (before?.raises ?? []).filter((at) => now - at <= raisesKeptMs);
  return priority === 'high' ? [...near, now] : near;
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
    ...raise(parameter, { ...episode, rule, priority }, createEscalation(priority, [], now), now),
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
  isWithdrawn: false,
  limitMoved: undefined,
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

function raiseAgain(alert: Alert, episode: Episode, now: EpochMs, bouts: Alert['bouts']): AlertChange {
  const { rule, priority } = episode;
  const isNew = isAnother(episode, alert);
  const earlier = isNew ? alert.episodes : alert.earlier;
  const shown = alert.priority === 'high' && isOpen(alert) && alert.acknowledged === null ? 'high' : priority;
  const raises = raisesAfter(alert.escalation, episode, now);
  const isWorse = isMoreUrgentRule(episode, { rule: alert.rule, priority: alert.conditionPriority });
  const again: Alert = {
    ...unseen(alert),
    ...factsOf(episode),
    // The owner of an earlier episode does not know of this one, and a resolved alert has none.
    ...(isNew || alert.closed?.because === 'resolved' ? { responsibility: null, reassigned: null } : {}),
    escalation: isNew
      ? createEscalation(shown, raises, now)
      : { ...(isWorse ? worsenedEscalation(alert) : alert.escalation), raises },
    soundsFrom: soundsFrom(alert, episode, now),
    bouts,
    lastRaisedAt: now,
    ruleRaisedAt: now,
    priority: shown,
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

function factsOf({
  rule,
  priority,
  since,
  unconfirmedUntil,
}: Episode): Pick<Alert, 'rule' | 'conditionPriority' | 'since' | 'unconfirmedUntil'> {
  return { rule, conditionPriority: priority, since, unconfirmedUntil };
}

/**
 * An upgrade, or a condition that begins again, sounds again: no one has seen it yet. The user who accepted the
 * alert keeps it, and the escalation goes on (clinical.md section 0, E1 and E3).
 */
export const unseen = (alert: Alert): Alert => ({ ...unheard(alert), audioPaused: null });

const moreUrgent = (a: Priority, b: Priority): Priority => (isMoreUrgent(a, b) ? a : b);

function updateActive(
  alert: Alert,
  episode: Episode,
  now: EpochMs,
  isHeld: boolean,
  boutsOf: () => Alert['bouts'],
): AlertChange | null {
  const facts = { ...factsOf(episode), episodes: alert.earlier + episode.count };
  if (facts.episodes > alert.episodes) {
    // It ended and began again between two evaluations. In standby the alert does not learn of it: so it is raised
    // afterwards.
    return isHeld ? null : raiseAgain(alert, episode, now, boutsOf());
  }
  const { rule, priority } = episode;
  if (rule === alert.rule && priority === alert.conditionPriority) {
    const isSame =
      alert.since === facts.since &&
      alert.episodes === facts.episodes &&
      alert.unconfirmedUntil === facts.unconfirmedUntil;
    return isSame ? null : { alert: { ...alert, ...facts }, events: [] };
  }
  const event = { rule, from: alert.conditionPriority, to: priority, at: now };
  if (!isMoreUrgentRule(episode, { rule: alert.rule, priority: alert.conditionPriority })) {
    if (isFlapping(alert, now)) {
      // It stays at the higher tier. That its condition began earlier may become known all the same.
      const since = Math.min(alert.since, facts.since);
      return since === alert.since ? null : { alert: { ...alert, since }, events: [] };
    }
    const shown = alert.priority === 'high' && alert.acknowledged === null ? 'high' : priority;
    return {
      alert: { ...alert, ...facts, ruleRaisedAt: now, downgradedAt: now, priority: shown },
      events: [{ is: 'downgraded', ...event }],
    };
  }
  if (isHeld) {
    return null;
  }
  const worsened: Alert = {
    ...unseen(alert),
    ...facts,
    soundsFrom: soundsFrom(alert, episode, now),
    lastRaisedAt: now,
    ruleRaisedAt: now,
    priority: moreUrgent(alert.priority, priority),
    escalation: worsenedEscalation(alert),
  };
  return { alert: worsened, events: [{ is: 'upgraded', ...event }] };
}

/** That help outside is not needed was said of what is milder (clinical.md section 00, A10). */
function worsenedEscalation({ escalation }: Alert): Alert['escalation'] {
  return escalation.answered?.is === 'not_needed' ? { ...escalation, answered: null } : escalation;
}

/** Returns whether the alert got worse soon after it was downgraded: its next milder tier has to last. */
function isFlapping({ downgradedAt, lastRaisedAt }: Alert, now: EpochMs): boolean {
  return (
    downgradedAt !== null &&
    lastRaisedAt >= downgradedAt &&
    lastRaisedAt - downgradedAt < flapMs &&
    now - lastRaisedAt < flapMs
  );
}

/** Ends an alert with its episode; without one it is withdrawn. A HIGH one that no one has seen stays, latched. */
export function end(alert: Alert, episode: Episode | null, now: EpochMs): AlertChange {
  const isReal = episode !== null && episode.endedAt !== null && episode.endedAt >= alert.since;
  const { lowest, highest } = isReal ? episode : { lowest: null, highest: null };
  const ended: Alert = {
    ...alert,
    condition: 'ended',
    endedAt: isReal ? episode.endedAt : now,
    isWithdrawn: !isReal,
    lowest,
    highest,
    bouts: withEnd(alert, isReal ? episode.endedAt : null),
  };
  const event: AlertEvent = isReal ? { is: 'ended', lowest, highest, at: now } : { is: 'withdrawn', at: now };
  // Someone has to see that a patient was in danger, even if it is over. Equipment that works again needs no one.
  const needsSomebody = alert.acknowledged === null && alert.priority !== 'low' && !isTechnical(alert.parameter);
  // It also stays listed to say which source counts.
  return needsSomebody || alert.settled !== undefined
    ? { alert: { ...ended, latched: needsSomebody && alert.priority === 'high' }, events: [event] }
    : closeAlert(ended, [event], { because: 'ended' }, now);
}
