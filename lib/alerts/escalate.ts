import type { EpochMs } from '../time/epochMs';
import type { Alert, AlertEvent, AlertChange } from './alert';
import { isOpen } from './alert';
import type { EscalationStep } from './escalation';

/**
 * How long after its acknowledgement an alert sounds again while its condition lasts, in milliseconds (clinical.md
 * section 3).
 */
export const remindAfterMs = { high: 2 * 60_000, medium: 10 * 60_000, low: null } as const;

/**
 * Takes an alert, the escalation plan of its priority and the server's time. Returns the alert after what is due: the
 * next steps unless someone has accepted it, each once however late, and the reminder of an acknowledged alert. Returns
 * null if nothing is due. A step voids the acknowledgement, because the people it asks have not seen the alert. A LOW
 * alert that was acknowledged is not escalated.
 */
export function escalate(alert: Alert, plan: readonly EscalationStep[], now: EpochMs): AlertChange | null {
  if (!isOpen(alert) || alert.condition === 'ended') {
    return null;
  }
  const events: AlertEvent[] = [];
  let after = alert;
  const isTaken = alert.responsibility?.is === 'accepted' || (alert.priority === 'low' && alert.acknowledged !== null);
  const isRejected = alert.responsibility?.is === 'rejected';
  const due = plan.filter(({ afterMs }) => now - alert.escalationStartedAt >= afterMs).length;
  const escalationStep = isTaken
    ? alert.escalationStep
    : Math.min(plan.length, Math.max(due, isRejected ? alert.escalationStep + 1 : alert.escalationStep));
  for (let step = alert.escalationStep; step < escalationStep; step += 1) {
    events.push({ is: 'asked', step, at: now });
  }
  if (escalationStep > alert.escalationStep) {
    after =
      escalationStep === 1
        ? { ...after, escalationStep }
        : { ...after, escalationStep, acknowledged: null, remindedAt: null, responsibility: null };
  }
  const remindMs = remindAfterMs[after.priority];
  const { acknowledged } = after;
  if (acknowledged !== null && after.remindedAt === null && remindMs !== null && now - acknowledged.at >= remindMs) {
    after = { ...after, remindedAt: now, reminders: after.reminders + 1 };
    events.push({ is: 'reminded', reminder: after.reminders, at: now });
  }
  return events.length === 0 ? null : { alert: after, events };
}
