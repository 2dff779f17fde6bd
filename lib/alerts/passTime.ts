import type { Alert, AlertEvent, Told } from './alert';
import { isOpen } from './alert';
import type { Hop } from './escalation';

/**
 * How long after it was acknowledged an alert sounds again while its condition lasts, in milliseconds (clinical.md
 * section 3).
 */
export const remindAfterMs = { high: 2 * 60_000, medium: 10 * 60_000, low: null } as const;

/**
 * Takes an alert, the escalation plan of its level and the server's time, and returns what is due: the next hops while
 * nobody has taken it on, each once however late, and the reminder of one that was acknowledged. Null when nothing is
 * due. Whoever is asked next has heard nothing yet, so a hop voids the acknowledgement; a LOW alert that was seen is
 * not passed on.
 */
export function passTime(alert: Alert, plan: readonly Hop[], now: number): Told | null {
  if (!isOpen(alert) || alert.condition === 'ended') {
    return null;
  }
  const events: AlertEvent[] = [];
  let after = alert;
  const isTaken = alert.responsibility?.is === 'accepted' || (alert.level === 'low' && alert.acknowledged !== null);
  const isRejected = alert.responsibility?.is === 'rejected';
  const due = plan.filter(({ afterMs }) => now - alert.askedAt >= afterMs).length;
  const hops = isTaken ? alert.hops : Math.min(plan.length, Math.max(due, isRejected ? alert.hops + 1 : alert.hops));
  for (let hop = alert.hops; hop < hops; hop += 1) {
    events.push({ is: 'asked', hop, at: now });
  }
  if (hops > alert.hops) {
    after =
      hops === 1 ? { ...after, hops } : { ...after, hops, acknowledged: null, remindedAt: null, responsibility: null };
  }
  const remindMs = remindAfterMs[after.level];
  const { acknowledged } = after;
  if (acknowledged !== null && after.remindedAt === null && remindMs !== null && now - acknowledged.at >= remindMs) {
    after = { ...after, remindedAt: now, reminders: after.reminders + 1 };
    events.push({ is: 'reminded', reminder: after.reminders, at: now });
  }
  return events.length === 0 ? null : { alert: after, events };
}
