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
 * Returns the sound of a user at `now` from the open alerts within their reach: the most urgent alert that has asked
 * them, by role or as part of the whole unit, or that they accepted and that asks again (screens.md section 11). A
 * pause silences alerts of its priority and below, those of others too; a more urgent one sounds (clinical.md
 * section 3).
 */
export function soundOf(alerts: readonly Alert[], userId: number, now: EpochMs): Sound {
  const paused = alerts.filter(({ audioPaused }) => audioPaused !== null && audioPaused.until > now);
  const quiet = worstOf(paused.filter((alert) => asks(alert, userId)));
  const sounding = alerts.filter(
    (alert) =>
      isSounding(asHeardBy(alert, userId), now) &&
      asks(alert, userId) &&
      (quiet === null || isMoreUrgent(alert.priority, quiet)),
  );
  const [longest] = paused.flatMap(({ audioPaused }) => audioPaused ?? []).sort((a, b) => b.until - a.until);
  return { priority: worstOf(sounding), pause: longest ?? null };
}

/** What was acknowledged before is news for the user whom someone asks by name to take it over. */
function asHeardBy(alert: Alert, userId: number): Alert {
  return isAskedByName(alert, userId) ? { ...alert, acknowledged: null } : alert;
}

/** Whether an alert has asked this user. */
function asks(alert: Alert, userId: number): boolean {
  const { escalation, responsibility, reassigned } = alert;
  const isOwner = responsibility?.is === 'accepted' && responsibility.by === userId;
  return (
    isOpen(alert) &&
    (isOwner ||
      reassigned?.to === userId ||
      escalation.asked.some(({ to }) => to.wholeUnit || to.userIds.includes(userId)))
  );
}

function worstOf(alerts: readonly Alert[]): Priority | null {
  return alerts.reduce<Priority | null>(
    (worst, { priority }) => (worst === null || isMoreUrgent(priority, worst) ? priority : worst),
    null,
  );
}
