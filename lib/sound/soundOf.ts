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
 * could be heard when it began, those of others too. One that is raised during the pause sounds, because it may be
 * another patient's; clinical.md section 3 keeps it silent, as the monitor of one bed does. For a display, which is no
 * one (null), every alert of its unit sounds.
 */
export function soundsFor(alerts: readonly Alert[], userId: number | null, now: EpochMs): (alert: Alert) => boolean {
  const pauses = pausedOf(alerts, now).filter((alert) => asks(alert, userId));
  const isQuiet = ({ priority, lastRaisedAt }: Alert): boolean =>
    pauses.some(
      (paused) => !isMoreUrgent(priority, paused.priority) && lastRaisedAt <= (paused.audioPaused?.from ?? 0),
    );
  return (alert) => isSounding(asHeardBy(alert, userId), now) && asks(alert, userId) && !isQuiet(alert);
}

function pausedOf(alerts: readonly Alert[], now: EpochMs): Alert[] {
  return alerts.filter(({ audioPaused }) => audioPaused !== null && audioPaused.until > now);
}

/** What was acknowledged before is news for the user whom someone asks by name to take it over. */
function asHeardBy(alert: Alert, userId: number | null): Alert {
  return userId !== null && isAskedByName(alert, userId) ? { ...alert, acknowledged: null } : alert;
}

/** Whether an alert has asked this user. */
function asks(alert: Alert, userId: number | null): boolean {
  if (userId === null) {
    return isOpen(alert);
  }
  const { escalation, responsibility, reassigned } = alert;
  const isOwner = responsibility?.is === 'accepted' && responsibility.by === userId;
  const asked = [...escalation.asked.map(({ to }) => to), ...(escalation.former === null ? [] : [escalation.former])];
  return (
    isOpen(alert) &&
    (isOwner ||
      reassigned?.to === userId ||
      asked.some(({ userIds, wholeUnit }) => wholeUnit || userIds.includes(userId)))
  );
}

function worstOf(alerts: readonly Alert[]): Priority | null {
  return alerts.reduce<Priority | null>(
    (worst, { priority }) => (worst === null || isMoreUrgent(priority, worst) ? priority : worst),
    null,
  );
}
