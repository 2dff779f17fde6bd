import type { EpochMs } from '../time/epochMs';
import type { ActionFault } from './actions';
import type { Alert, AlertChange, AlertEvent, Undo } from './alert';

/** How long its user can take an acknowledgement or an acceptance back, in milliseconds (screens.md section 2). */
export const undoMs = 15_000;

/**
 * Takes the last action on an alert back, as if it had never happened: the escalation has the times again that it had,
 * and the alert sounds as before. What fell due meanwhile is asked at once (`escalate`).
 */
export function withdraw(alert: Alert, by: number, now: EpochMs): AlertChange | ActionFault {
  const { undo } = alert;
  if (undo === null || isConfirmedSince(alert, undo, now)) {
    return 'alert_changed';
  }
  if (undo.by !== by) {
    return 'undo_by_somebody_else';
  }
  if (now - undo.at > undoMs) {
    return 'undo_too_late';
  }
  const acknowledgement: AlertEvent = { is: 'acknowledgement_withdrawn', by, at: now };
  const acceptance: AlertEvent = { is: 'acceptance_withdrawn', by, at: now };
  const events = {
    acknowledged: [acknowledgement],
    accepted: [acceptance],
    taken: [acknowledgement, acceptance],
  } satisfies Record<Undo['is'], AlertEvent[]>;
  return { alert: { ...alert, ...undo.before, undo: null }, events: events[undo.is] };
}

/** Returns whether a first reading that waited for a second one was confirmed since the action (section 0, S1). */
function isConfirmedSince({ unconfirmedUntil }: Alert, { at, before }: Undo, now: EpochMs): boolean {
  const until = before.unconfirmedUntil;
  return unconfirmedUntil !== until || (until !== null && at < until && until <= now);
}
