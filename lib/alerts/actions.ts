import type { EpochMs } from '../time/epochMs';
import {
  closeAlert,
  holderOf,
  isAskedByName,
  isOpen,
  isSeen,
  ownerOf,
  type Alert,
  type AlertChange,
  type AlertEvent,
  type Outcome,
  type Release,
  type Undo,
} from './alert';
import { undoable } from './alertFacts';
import { endedByPeople } from './endedByPeople';
import type { ContactAnswer } from './escalation';
import { isTechnical } from './parameters';
import { withBout } from './poorSignal';

/** Why an action of a user, or of the server in their place, is refused. */
export type ActionFault =
  | 'alert_closed'
  | 'alert_changed'
  | 'accepted_by_somebody_else'
  | 'cannot_be_asked'
  | 'pause_too_long'
  | 'source_uncertain'
  | 'undo_too_late'
  | 'undo_by_somebody_else';

/** Returns what has to be known to take an action on an alert back. */
const undoOf = (alert: Alert, is: Undo['is'], by: number, now: EpochMs): Undo => ({
  is,
  by,
  at: now,
  before: undoable.parse(alert),
});

/** A user who was reminded, and acknowledges again, is reminded later the next time; anyone else is not. */
function seenBy({ acknowledged, reminders }: Alert, by: number, at: EpochMs) {
  return { acknowledged: { by, at }, remindedAt: null, reminders: acknowledged?.by === by ? reminders : 0 };
}

/**
 * Silences the alert, also for the user whom someone asks to take over what was acknowledged before. It stays listed
 * while the condition lasts, with the condition's present priority, or while it says which source counts. It is not
 * accepted by that. Any other alert whose condition has ended is closed.
 */
export function acknowledge(alert: Alert, by: number, now: EpochMs): AlertChange | ActionFault {
  if (!isOpen(alert)) {
    return 'alert_closed';
  }
  if (isSeen(alert) && !isAskedByName(alert, by)) {
    return { alert, events: [] };
  }
  const seen: Alert = {
    ...alert,
    priority: alert.conditionPriority,
    ...seenBy(alert, by, now),
    undo: undoOf(alert, 'acknowledged', by, now),
  };
  const events: AlertEvent[] = [{ is: 'acknowledged', by, at: now }];
  return alert.condition === 'active' || alert.settled !== undefined
    ? { alert: { ...seen, latched: false }, events }
    : closeAlert(seen, events, { because: 'acknowledged' }, now);
}

/**
 * Makes `by` responsible, also in the place of another user, and stops the escalation; the same user accepts again to
 * answer. `unitId` is the patient's unit.
 */
export function accept(alert: Alert, by: number, unitId: number | null, now: EpochMs): AlertChange | ActionFault {
  if (!isOpen(alert)) {
    return 'alert_closed';
  }
  return {
    alert: {
      ...alert,
      responsibility: { is: 'accepted', by, at: now, unitId },
      notSeenSince: null,
      reassigned: null,
      escalation: { ...alert.escalation, answerBy: null },
      undo: undoOf(alert, 'accepted', by, now),
    },
    events: [{ is: 'accepted', by, at: now }],
  };
}

/**
 * Acknowledges and accepts at once ("I'm on it"). Another user's alert is taken over only if that is what `by` means.
 * An alert whose condition has ended is closed.
 */
export function take(
  alert: Alert,
  by: number,
  { unitId, comment, takeOver = false }: { unitId: number | null; comment?: string; takeOver?: boolean },
  now: EpochMs,
): AlertChange | ActionFault {
  const owner = ownerOf(alert);
  if (isOpen(alert) && owner !== null && owner !== by && !takeOver) {
    return 'accepted_by_somebody_else';
  }
  const accepted = accept(alert, by, unitId, now);
  if (typeof accepted === 'string') {
    return accepted;
  }
  const seen = acknowledge(accepted.alert, by, now);
  if (typeof seen === 'string') {
    return seen;
  }
  const said = comment === undefined ? {} : { comment };
  const isLast = ({ is }: AlertEvent): boolean => is === 'closed';
  // Another user may have acknowledged it, which is not this user's to take back.
  const isFirst = seen.events.length > 0;
  return {
    alert: { ...seen.alert, undo: undoOf(alert, isFirst ? 'taken' : 'accepted', by, now) },
    events: [
      ...seen.events.filter((event) => !isLast(event)),
      { is: 'accepted', by, at: now, ...said },
      ...seen.events.filter(isLast),
    ],
  };
}

/**
 * Asks another user to accept an alert. Until they do, its owner keeps it and its escalation goes on: if no one answers
 * within the first step's time, the next step is asked (`escalate`).
 */
export function reassign(alert: Alert, by: number, to: number, now: EpochMs): AlertChange | ActionFault {
  if (!isOpen(alert)) {
    return 'alert_closed';
  }
  return to === by || to === ownerOf(alert)
    ? 'cannot_be_asked'
    : {
        alert: { ...alert, reassigned: { by, to, at: now } },
        events: [{ is: 'reassigned', by, user: to, at: now }],
      };
}

/**
 * Records that a user who was asked cannot come: the next step of the plan is due at once (`escalate`). A user who had
 * accepted gives the alert back: step 0 is asked again. If another user keeps the alert, only the user who was asked to
 * take it over can decline, and nothing else changes.
 */
export function reject(alert: Alert, by: number, reason: string, now: EpochMs): AlertChange | ActionFault {
  if (!isOpen(alert)) {
    return 'alert_closed';
  }
  const { responsibility, reassigned } = alert;
  const events: AlertEvent[] = [{ is: 'rejected', by, reason, at: now }];
  if (responsibility?.is === 'accepted' && responsibility.by !== by) {
    return reassigned?.to === by ? { alert: { ...alert, reassigned: null }, events } : 'accepted_by_somebody_else';
  }
  // The people who are asked now have not seen it.
  const unseen = responsibility?.is === 'accepted' ? { acknowledged: null, remindedAt: null } : {};
  return {
    alert: {
      ...alert,
      ...unseen,
      responsibility: { is: 'rejected', by, at: now, reason },
      reassigned: reassigned?.to === by ? null : reassigned,
      escalation: { ...alert.escalation, answerBy: null },
    },
    events:
      responsibility?.is === 'accepted'
        ? [...events, { is: 'released', user: by, because: 'rejected', at: now }]
        : events,
  };
}

/**
 * Ends the acceptance of an alert without a successor (clinical.md section 0, E6), else its acknowledgement (section
 * 00, A1); null if no one holds it. The people who are asked now have not seen it, except that a shift that begins
 * makes no sound.
 */
export function release(alert: Alert, because: Release, now: EpochMs): AlertChange | null {
  const { responsibility } = alert;
  const user = holderOf(alert);
  if (!isOpen(alert) || user === null) {
    return null;
  }
  if (responsibility?.is !== 'accepted') {
    return {
      alert: { ...alert, acknowledged: null, remindedAt: null },
      events: [{ is: 'released', user, because, acknowledgement: true, at: now }],
    };
  }
  const { by, at } = responsibility;
  const unseen = because === 'previous_shift' ? {} : { acknowledged: null, remindedAt: null };
  return {
    alert: {
      ...alert,
      ...unseen,
      responsibility: { is: 'released', by, at, because },
      reassigned: null,
      escalation: { ...alert.escalation, answerBy: null },
    },
    events: [{ is: 'released', user: by, because, at: now }],
  };
}

/**
 * Notes whether the user who accepted a HIGH or MEDIUM alert that lasts is there: `since` is when they were last seen,
 * null if they are (clinical.md section 00, A1). Returns null if that is known.
 */
export function noteOwner(alert: Alert, since: EpochMs | null, now: EpochMs): AlertChange | null {
  const user = ownerOf(alert);
  const isHeld = user !== null && alert.condition === 'active' && alert.priority !== 'low';
  const notSeenSince = isHeld ? since : null;
  if ((notSeenSince === null) === (alert.notSeenSince === null)) {
    return null;
  }
  const events: AlertEvent[] = [];
  if (user !== null && notSeenSince !== null) {
    events.push({ is: 'owner_missing', user, since: notSeenSince, at: now });
  } else if (user !== null && since === null) {
    events.push({ is: 'owner_back', user, at: now });
  }
  return { alert: { ...alert, notSeenSince }, events };
}

/** Records whether help outside was called: no acceptance, but the step that asks for it waits (section 00, A10). */
export function answerContact(
  alert: Alert,
  by: number,
  { answer, reason }: { answer: ContactAnswer['is']; reason: string },
  now: EpochMs,
): AlertChange | ActionFault {
  const answered = { is: answer, by, at: now, reason };
  return isOpen(alert)
    ? {
        alert: { ...alert, escalation: { ...alert.escalation, answered } },
        events: [{ is: 'contact_answered', by, answer, reason, at: now }],
      }
    : 'alert_closed';
}

/**
 * Moves an alert of one of `from` to the receiver of a handoff (clinical.md section 0, E6): it stays seen, and asks no
 * one. Another user's, and one that no one has accepted, stays as it is.
 */
export function handOver(
  alert: Alert,
  from: ReadonlySet<number>,
  { to, unitId }: { to: number; unitId: number | null },
  now: EpochMs,
): AlertChange {
  const owner = ownerOf(alert);
  return !isOpen(alert) || owner === null || owner === to || !from.has(owner)
    ? { alert, events: [] }
    : {
        alert: {
          ...alert,
          responsibility: { is: 'accepted', by: to, at: now, unitId },
          notSeenSince: null,
          reassigned: null,
          escalation: { ...alert.escalation, answerBy: null },
          undo: null,
        },
        events: [
          { is: 'released', user: owner, because: 'handed_over', at: now },
          { is: 'accepted', by: to, at: now },
        ],
      };
}

/** The longest pause of a sound (clinical.md section 3). No sound can be switched off. */
export const longestPauseMs = 120_000;

export function pauseAudio(alert: Alert, by: number, forMs: number, now: EpochMs): AlertChange | ActionFault {
  if (!isOpen(alert)) {
    return 'alert_closed';
  }
  if (!(forMs > 0 && forMs <= longestPauseMs)) {
    return 'pause_too_long';
  }
  const until = now + forMs;
  return {
    alert: { ...alert, audioPaused: { by, from: now, until } },
    events: [{ is: 'audio_paused', by, until, at: now }],
  };
}

/** Lets one of two oximeters count for a while, and acknowledges the alert. Without a choice both count again. */
export function settleSource(
  alert: Alert,
  by: number,
  choice: Omit<NonNullable<Alert['settled']>, 'by' | 'at'> | undefined,
  reason: string,
  now: EpochMs,
): AlertChange {
  const { source = null, until = now } = choice ?? {};
  const event: AlertEvent = { is: 'settled', by, source, until, reason, at: now };
  if (choice === undefined) {
    return unsettle(alert, event, now);
  }
  const seen = { priority: alert.conditionPriority, ...(isSeen(alert) ? {} : seenBy(alert, by, now)) };
  return { alert: { ...alert, ...seen, settled: { ...choice, by, at: now } }, events: [event] };
}

/** Lets all sources count again, and closes an alert that was listed for nothing else. */
export function unsettle(alert: Alert, event: AlertEvent, now: EpochMs): AlertChange {
  const after: Alert = { ...alert, settled: undefined };
  // One that was raised again since is still to be seen.
  const isRaisedSince = alert.priority !== 'low' && alert.lastRaisedAt > (alert.settled?.at ?? 0);
  return alert.condition === 'active' || (alert.acknowledged === null && isRaisedSince)
    ? { alert: after, events: [event] }
    : closeAlert(after, [event], { because: 'ended' }, now);
}

/**
 * Records the outcome. Closes the alert if its condition has ended, or if only a person can end it; otherwise silences
 * it, and it closes with its condition.
 */
export function resolve(
  alert: Alert,
  by: number,
  { is, note }: { is: Outcome; note: string },
  now: EpochMs,
): AlertChange | ActionFault {
  if (!isOpen(alert)) {
    return 'alert_closed';
  }
  const resolved: Alert = {
    ...alert,
    priority: alert.conditionPriority,
    outcome: { is, by, at: now, note },
    ...(is === 'artefact' && alert.outcome?.is !== is
      ? { bouts: withBout(alert, { at: now, of: 0, poor: 0, is }) }
      : {}),
    ...(isSeen(alert) ? {} : seenBy(alert, by, now)),
  };
  const events: AlertEvent[] = [{ is: 'resolved', by, outcome: is, note, at: now }];
  if (alert.condition === 'active' && !endedByPeople.has(alert.rule)) {
    return { alert: resolved, events };
  }
  const over: Alert = { ...resolved, condition: 'ended', endedAt: resolved.endedAt ?? now };
  return closeAlert(over, events, { because: 'resolved' }, now);
}

/**
 * Ends the alert because its patient or its rule has gone. A HIGH one about the patient that no one has seen stays
 * open: step 1 is still asked for it (clinical.md section 0, E7, and section 00, A4). Null if there is nothing to end.
 */
export function endAdministratively(alert: Alert, reason: string, now: EpochMs): AlertChange | null {
  const isUnseen = alert.priority === 'high' && alert.acknowledged === null && ownerOf(alert) === null;
  if (!isOpen(alert) || (isUnseen && alert.latched)) {
    return null;
  }
  if (isUnseen && !isTechnical(alert.parameter)) {
    const ended: Alert = { ...alert, condition: 'ended', endedAt: now, latched: true, settled: undefined };
    return { alert: ended, events: [{ is: 'ended', lowest: null, highest: null, reason, at: now }] };
  }
  const closed = closeAdministratively(alert, reason, now);
  return typeof closed === 'string' ? null : closed;
}

/** Closes the alert whatever anyone has seen of it. */
export function closeAdministratively(alert: Alert, reason: string, now: EpochMs): AlertChange | ActionFault {
  if (!isOpen(alert)) {
    return 'alert_closed';
  }
  const endedAt = alert.endedAt ?? now;
  return closeAlert({ ...alert, condition: 'ended', endedAt }, [], { because: 'administrative', reason }, now);
}
