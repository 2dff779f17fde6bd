import type { EpochMs } from '../time/epochMs';
import type { ContactAnswer, Escalation, Recipients } from './escalation';
import type { Parameter } from './parameters';
import type { Priority } from './priority';
import { isUnconfirmed } from './stepSpotRule';

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
  /**
   * Grows with priority, condition, acknowledgement, owner and outcome, and with each raise or upgrade (`withVersion`):
   * an action that was meant for an earlier version is refused (screens.md section 12).
   */
  version: number;
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
  /** Until when a first reading waits for a second one (`Episode`); null: it is confirmed, or needs none. */
  unconfirmedUntil: EpochMs | null;
  /** It ended because late or corrected values showed that the condition never was. */
  isWithdrawn: boolean;
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
  responsibility: Responsibility | null;
  /**
   * Since when the user who accepted it has not been heard of, or has left their screen locked (clinical.md section 00,
   * A1); null: they are there, or no one has accepted it.
   */
  notSeenSince: EpochMs | null;
  /** The user who was last asked by another one to accept it, and has not; null: no one. */
  reassigned: { by: number; to: number; at: EpochMs } | null;
  audioPaused: { by: number; from: EpochMs; until: EpochMs } | null;
  outcome: { is: Outcome; by: number; at: EpochMs; note: string } | null;
  /** When `rule` was raised, upgraded or downgraded to. */
  ruleRaisedAt: EpochMs;
  /** When it was raised or upgraded last (clinical.md section 0, E8). */
  lastRaisedAt: EpochMs;
  /** When it was downgraded last; null: never. */
  downgradedAt: EpochMs | null;
  escalation: Escalation;
  /** When it began to sound again although it was acknowledged, and how often since this user did. */
  remindedAt: EpochMs | null;
  reminders: number;
  closed: { at: EpochMs; because: Closing } | null;
  /** What its user can still take back, as long as nothing else happens to the alert. */
  undo: Undo | null;
}

/** The facts that an acknowledgement or an acceptance changes. */
type Undoable = Pick<
  Alert,
  | 'priority'
  | 'unconfirmedUntil'
  | 'latched'
  | 'acknowledged'
  | 'responsibility'
  | 'reassigned'
  | 'remindedAt'
  | 'reminders'
  | 'escalation'
  | 'closed'
>;

/** The last action of a user, with what it changed as that was before. `taken`: acknowledged and accepted at once. */
export interface Undo {
  is: 'acknowledged' | 'accepted' | 'taken';
  by: number;
  at: EpochMs;
  before: Undoable;
}

/**
 * Who is responsible for an alert. `unitId` is the patient's unit at that time. `released`: the acceptance of `by` has
 * ended without a successor.
 */
export type Responsibility =
  | { is: 'accepted'; by: number; at: EpochMs; unitId: number | null }
  | { is: 'rejected'; by: number; at: EpochMs; reason: string }
  | { is: 'released'; by: number; at: EpochMs; because: Release };

/** Why an acceptance ended (clinical.md section 0, E6, and 00, A1), or that its holder gave it back. */
export const releases = [
  'rejected',
  'disabled',
  'signed_out',
  'out_of_reach',
  'moved',
  'previous_shift',
  'handed_over',
] as const;
export type Release = (typeof releases)[number];

/** Why the user who accepted is asked again (E3, E4, E5). */
export const ownerQuestions = ['upgraded', 'repeated', 'lasting'] as const;
export type OwnerAsked = (typeof ownerQuestions)[number];

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
  /** `reason`: no value has ended it, but that its patient or its rule has gone. */
  | { is: 'ended'; lowest: number | null; highest: number | null; reason?: string }
  /** Late values show that the condition never was. */
  | { is: 'withdrawn' }
  /** Values that arrived too late to sound show a condition; a further line: more of it. */
  | { is: 'retrospective'; rule: string; priority: Priority }
  | { is: 'asked'; step: number; to: Recipients }
  /** The user who accepted is asked to accept again. */
  | { is: 'owner_asked'; user: number; because: OwnerAsked }
  /** The user who accepted is not there, or is back: they keep it, and others are asked meanwhile. */
  | { is: 'owner_missing'; user: number; since: EpochMs }
  | { is: 'owner_back'; user: number }
  /** The patient has come to another unit, whose people are asked from now on. */
  | { is: 'moved' }
  | { is: 'reminded'; reminder: number }
  | { is: 'acknowledged'; by: number }
  | { is: 'accepted'; by: number; comment?: string }
  | { is: 'rejected'; by: number; reason: string }
  /** Its user took it back. */
  | { is: 'acknowledgement_withdrawn'; by: number }
  | { is: 'acceptance_withdrawn'; by: number }
  /** `by` asks `user` to accept it. */
  | { is: 'reassigned'; by: number; user: number }
  /** The acceptance of `user` has ended; `acknowledgement`: they had only acknowledged it. */
  | { is: 'released'; user: number; because: Release; acknowledgement?: true }
  | { is: 'audio_paused'; by: number; until: number }
  /** Help outside was called, or is not needed. */
  | { is: 'contact_answered'; by: number; answer: ContactAnswer['is']; reason: string }
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
 * 00, A5), and one that ended unseen stays listed in silence.
 */
export function isSounding(alert: Alert, now: EpochMs): boolean {
  if (alert.priority === 'medium' && isUnconfirmed(alert, now)) {
    return false;
  }
  const isPaused = alert.audioPaused !== null && alert.audioPaused.until > now;
  return isOpen(alert) && (alert.condition === 'active' || alert.latched) && !isPaused && !isSeen(alert);
}

/** Closes an alert for a reason, with the last line of its log. */
export function closeAlert(
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
