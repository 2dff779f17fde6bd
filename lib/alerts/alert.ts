import type { z } from 'zod';
import type { EpochMs } from '../time/epochMs';
import type { alertEvent, alertFacts, closings, outcomes, ownerQuestions, releases } from './alertFacts';
import { isUnconfirmed } from './stepSpotRule';

/**
 * An alert about one parameter of a patient. What the samples say and what people did are separate facts; the status on
 * a screen follows from both.
 */
export type Alert = z.infer<typeof alertFacts>;
/**
 * Who is responsible for an alert. `unitId` is the patient's unit at that time. `released`: the acceptance of `by` has
 * ended without a successor.
 */
export type Responsibility = NonNullable<Alert['responsibility']>;
/** The last action of a user, with what it changed as that was before. `taken`: acknowledged and accepted at once. */
export type Undo = NonNullable<Alert['undo']>;
export type Outcome = (typeof outcomes)[number];
export type Release = (typeof releases)[number];
export type OwnerAsked = (typeof ownerQuestions)[number];
export type Closing = (typeof closings)[number];

/** A line of an alert's log, which is append-only. */
export type AlertEvent = z.infer<typeof alertEvent>;

/** An alert after something happened, and the new lines of its log. */
export interface AlertChange {
  alert: Alert;
  events: AlertEvent[];
}

/** Returns whether the alert exists and still needs someone. */
export function isOpen(alert: Alert | null): alert is Alert {
  return alert !== null && alert.closed === null;
}

/** Returns the user who has accepted the alert, or null. */
export function ownerOf({ responsibility }: Alert): number | null {
  return responsibility?.is === 'accepted' ? responsibility.by : null;
}

/** Returns whether a user has accepted the alert. */
export function isOwned(alert: Alert): boolean {
  return ownerOf(alert) !== null;
}

/**
 * Returns the user whose word keeps the alert quiet: who accepted it, else who acknowledged it while it lasts
 * (clinical.md section 00, A1); null: no one. LOW asks no one again.
 */
export function holderOf(alert: Alert): number | null {
  const { acknowledged, condition, priority } = alert;
  return ownerOf(alert) ?? (condition === 'active' && priority !== 'low' ? (acknowledged?.by ?? null) : null);
}

/** Returns whether somebody who is there holds the alert, or its condition has ended. */
export function isAnswered(alert: Alert, now: EpochMs): boolean {
  const { escalation, priority, acknowledged, notSeenSince } = alert;
  const isOverdue = notSeenSince !== null || (escalation.answerBy !== null && now >= escalation.answerBy);
  if ((isOwned(alert) && !isOverdue) || (priority === 'low' && acknowledged !== null)) {
    return true;
  }
  return alert.condition === 'ended' && !(alert.latched && !isOwned(alert) && escalation.step < 2);
}

/** Returns an alert about which people are asked who have not seen it: no one has acknowledged or declined it. */
export function unheard(alert: Alert): Alert {
  const { responsibility } = alert;
  return {
    ...alert,
    acknowledged: null,
    remindedAt: null,
    responsibility: responsibility?.is === 'rejected' ? null : responsibility,
  };
}

/** Returns whether the condition was over when its values arrived, so that the alert never asked anyone. */
export function isRetrospective({ closed }: Alert): boolean {
  return closed?.because === 'retrospective';
}

/** Returns whether the alert is acknowledged and has sent no reminder since. */
export function isSeen({ acknowledged, remindedAt }: Alert): boolean {
  return acknowledged !== null && remindedAt === null;
}

/**
 * Returns whether this user was asked by name, by another one to accept the alert or by a step since they became
 * responsible (clinical.md section 00, A2), and no one has acknowledged it since.
 */
export function isAskedByName({ reassigned, acknowledged, escalation }: Alert, userId: number): boolean {
  return (
    (reassigned?.to === userId && (acknowledged === null || acknowledged.at <= reassigned.at)) ||
    (acknowledged !== null &&
      escalation.asked.some(({ at, to }) => at > acknowledged.at && to.userIds.includes(userId)))
  );
}

/**
 * Returns whether the alert sounds at `now`. A MEDIUM alert is silent before its first reading is confirmed (section
 * 00, A5), and if sources disagree again soon; one that ended unseen stays listed in silence.
 */
export function isSounding(alert: Alert, now: EpochMs): boolean {
  if (alert.priority === 'medium' && (isUnconfirmed(alert, now) || now < (alert.soundsFrom ?? now))) {
    return false;
  }
  const isPaused = alert.audioPaused !== null && alert.audioPaused.until > now;
  return isOpen(alert) && (alert.condition === 'active' || alert.latched) && !isPaused && !isSeen(alert);
}

/** Closes an alert for a reason, with the last line of its log. A choice between its sources ends with it. */
export function closeAlert(
  alert: Alert,
  events: AlertEvent[],
  why: Pick<Extract<AlertEvent, { is: 'closed' }>, 'because' | 'reason'>,
  now: EpochMs,
): AlertChange {
  return {
    alert: { ...alert, latched: false, settled: undefined, closed: { at: now, because: why.because } },
    events: [
      ...events,
      ...(alert.settled === undefined ? [] : [{ is: 'unsettled' as const, at: now }]),
      { is: 'closed', ...why, at: now },
    ],
  };
}
