import { isAskedByName, isOpen, isSounding, type Alert } from '../alerts/alert';
import { isMoreUrgent, type Priority } from '../alerts/priority';
import type { EpochMs } from '../time/epochMs';

/** What a user's browser sounds, and the pause that everyone sees. */
export interface Sound {
  /** The most urgent priority that sounds; null: silence. */
  priority: Priority | null;
  /** The pause that lasts longest, and who began it. */
  pause: { by: number; until: EpochMs } | null;
}

/**
 * Returns the sound of a user at `now` from the open alerts within their reach: the most urgent one that sounds, and
 * the pause that everyone sees.
 */
export function soundOf(alerts: readonly Alert[], userId: number | null, now: EpochMs): Sound {
  const [longest] = pausedOf(alerts, now)
    .flatMap(({ audioPaused }) => audioPaused ?? [])
    .sort((a, b) => b.until - a.until);
  const pause = longest === undefined ? null : { by: longest.by, until: longest.until };
  return { priority: worstOf(alerts.filter(soundsFor(alerts, userId, now))), pause };
}

/**
 * Returns the test for the alerts that sound for a user: those that have asked them, by role or as part of the whole
 * unit, or that they accepted and that ask again (screens.md section 11). One that was acknowledged sounds for the user
 * whom someone asks to take it over, who has not heard it. A pause silences the alerts of its priority and below that
 * could be heard when it began, those of others too, for those whom its alert had asked by then and for the user who
 * began it: an alert sounds for users whom it asks later. One that is raised during the pause sounds, because it may be
 * another patient's; clinical.md section 3 keeps it silent, as the monitor of one bed does. For a display, which is no
 * one (null), every alert of its unit sounds.
 */
export function soundsFor(alerts: readonly Alert[], userId: number | null, now: EpochMs): (alert: Alert) => boolean {
  const pauses = pausedOf(alerts, now).filter((alert) => isPausedFor(alert, userId));
  const isQuiet = ({ priority, lastRaisedAt }: Alert): boolean =>
    pauses.some(
      (paused) => !isMoreUrgent(priority, paused.priority) && lastRaisedAt <= (paused.audioPaused?.from ?? 0),
    );
  return (alert) => isSounding(asHeardBy(alert, userId), now) && asks(alert, userId) && !isQuiet(alert);
}

function pausedOf(alerts: readonly Alert[], now: EpochMs): Alert[] {
  return alerts.filter(({ audioPaused }) => audioPaused !== null && audioPaused.until > now);
}

/**
 * What was acknowledged before is news for the user whom someone asks by name to take it over, and what was paused
 * before for everyone who is asked later.
 */
function asHeardBy(alert: Alert, userId: number | null): Alert {
  const acknowledged = userId !== null && isAskedByName(alert, userId) ? null : alert.acknowledged;
  return { ...alert, acknowledged, audioPaused: isPausedFor(alert, userId) ? alert.audioPaused : null };
}

/** Whether the pause of an alert, if it has one, is also this user's. */
function isPausedFor(alert: Alert, userId: number | null): boolean {
  const { audioPaused } = alert;
  return audioPaused !== null && (audioPaused.by === userId || asks(alert, userId, audioPaused.from));
}

/** Whether an alert had asked this user by a time, in epoch milliseconds. */
function asks(alert: Alert, userId: number | null, by: EpochMs = Infinity): boolean {
  if (!isOpen(alert) || userId === null) {
    return isOpen(alert);
  }
  const { escalation, responsibility, reassigned } = alert;
  const { asked, former } = escalation;
  const reached = [...asked.map(({ at, to }) => ({ at, ...to })), ...(former === null ? [] : [former])];
  return (
    (responsibility?.is === 'accepted' && responsibility.by === userId && responsibility.at <= by) ||
    (reassigned?.to === userId && reassigned.at <= by) ||
    reached.some(({ at, userIds, wholeUnit }) => at <= by && (wholeUnit || userIds.includes(userId)))
  );
}

function worstOf(alerts: readonly Alert[]): Priority | null {
  return alerts.reduce<Priority | null>(
    (worst, { priority }) => (worst === null || isMoreUrgent(priority, worst) ? priority : worst),
    null,
  );
}
