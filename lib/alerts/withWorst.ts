import type { Alert } from './alert';
import { extreme } from '../vitals/buckets';
import { unreadEvidence, type Evidence, type Worst } from './evidence';
import { isMoreUrgentRule } from './isMoreUrgentRule';
import { isMoreUrgent } from './priority';

/**
 * Takes an alert before a change with what was kept of its worst (null: it is new), the alert after it and its
 * evidence. `isRaised`: that evidence is of a raise or an upgrade by this change. Returns the evidence with the worst
 * of the alert.
 */
export function withWorst(
  before: { alert: Alert; worst: Worst | undefined } | null,
  alert: Alert,
  evidence: Evidence,
  isRaised: boolean,
): Evidence {
  if (evidence === unreadEvidence) {
    return evidence;
  }
  const known = before !== null && isStillMeant(before.alert, alert) ? before.worst : undefined;
  const { rule, conditionPriority: priority } = alert;
  const worst =
    isRaised && (known === undefined || isMoreUrgentRule({ rule, priority }, known))
      ? { rule, priority, limits: evidence.limits, lowest: known?.lowest ?? null, highest: known?.highest ?? null }
      : known;
  const isOver = before?.alert.condition === 'active' && alert.condition === 'ended';
  return {
    ...evidence,
    worst:
      worst === undefined || !isOver
        ? worst
        : {
            ...worst,
            lowest: extreme(worst.lowest, alert.lowest, Math.min),
            highest: extreme(worst.highest, alert.highest, Math.max),
          },
  };
}

/** Returns whether what was worst still explains the alert: in the same episode, or while it keeps that priority. */
function isStillMeant(before: Alert, after: Alert): boolean {
  return (
    before.escalation.startedAt === after.escalation.startedAt ||
    (before.priority === after.priority && isMoreUrgent(after.priority, after.conditionPriority))
  );
}
