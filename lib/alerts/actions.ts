import type { EpochMs } from '../time/epochMs';
import { redFlagRule } from './evaluateSymptoms';
import { unreadableAlert } from './technicalRules';
import {
  closeAlert,
  isOpen,
  isSeen,
  type Alert,
  type AlertChange,
  type AlertEvent,
  type Outcome,
  type Release,
} from './alert';

/** Why an action of a user, or of the server in their place, is refused. */
export type ActionFault = 'alert_closed' | 'accepted_by_somebody_else' | 'pause_too_long';

/**
 * Silences the alert. It stays listed while the condition lasts, with the condition's present priority. It is not
 * accepted by that. An alert whose condition has ended is closed.
 */
export function acknowledge(alert: Alert, by: number, now: EpochMs): AlertChange | ActionFault {
  if (!isOpen(alert)) {
    return 'alert_closed';
  }
  if (isSeen(alert)) {
    return { alert, events: [] };
  }
  const seen: Alert = { ...alert, priority: alert.conditionPriority, acknowledged: { by, at: now }, remindedAt: null };
  const events: AlertEvent[] = [{ is: 'acknowledged', by, at: now }];
  return alert.condition === 'active'
    ? { alert: seen, events }
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
      escalation: { ...alert.escalation, answerBy: null },
    },
    events: [{ is: 'accepted', by, at: now }],
  };
}

/**
 * Records that a user who was asked cannot come: the next step of the plan is due at once (`escalate`). A user who had
 * accepted gives the alert back: step 0 is asked again.
 */
export function reject(alert: Alert, by: number, reason: string, now: EpochMs): AlertChange | ActionFault {
  if (!isOpen(alert)) {
    return 'alert_closed';
  }
  const { responsibility } = alert;
  if (responsibility?.is === 'accepted' && responsibility.by !== by) {
    return 'accepted_by_somebody_else';
  }
  const events: AlertEvent[] = [{ is: 'rejected', by, reason, at: now }];
  // The people who are asked now have not seen it.
  const unseen = responsibility?.is === 'accepted' ? { acknowledged: null, remindedAt: null } : {};
  return {
    alert: {
      ...alert,
      ...unseen,
      responsibility: { is: 'rejected', by, at: now, reason },
      escalation: { ...alert.escalation, answerBy: null },
    },
    events:
      responsibility?.is === 'accepted'
        ? [...events, { is: 'released', user: by, because: 'rejected', at: now }]
        : events,
  };
}

/**
 * Ends the acceptance of an alert without a successor (clinical.md section 0, E6); null if no one has accepted it. The
 * people who are asked now have not seen it, except that a shift that begins makes no sound.
 */
export function release(alert: Alert, because: Release, now: EpochMs): AlertChange | null {
  const { responsibility } = alert;
  if (!isOpen(alert) || responsibility?.is !== 'accepted') {
    return null;
  }
  const { by, at } = responsibility;
  const unseen = because === 'previous_shift' ? {} : { acknowledged: null, remindedAt: null };
  return {
    alert: {
      ...alert,
      ...unseen,
      responsibility: { is: 'released', by, at, because },
      escalation: { ...alert.escalation, answerBy: null },
    },
    events: [{ is: 'released', user: by, because, at: now }],
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
  return { alert: { ...alert, audioPaused: { by, until } }, events: [{ is: 'audio_paused', by, until, at: now }] };
}

/** Nothing else ends a red flag (clinical.md section 0, Y1), or an alert that could not be read. */
const endedByPeople: ReadonlySet<string> = new Set([redFlagRule, unreadableAlert.rule]);

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
    acknowledged: isSeen(alert) ? alert.acknowledged : { by, at: now },
    remindedAt: null,
  };
  const events: AlertEvent[] = [{ is: 'resolved', by, outcome: is, note, at: now }];
  if (alert.condition === 'active' && !endedByPeople.has(alert.rule)) {
    return { alert: resolved, events };
  }
  const over: Alert = { ...resolved, condition: 'ended', endedAt: resolved.endedAt ?? now };
  return closeAlert(over, events, { because: 'resolved' }, now);
}

/** Closes the alert because the patient is discharged or the device is taken off. */
export function closeAdministratively(alert: Alert, reason: string, now: EpochMs): AlertChange | ActionFault {
  if (!isOpen(alert)) {
    return 'alert_closed';
  }
  const endedAt = alert.endedAt ?? now;
  return closeAlert({ ...alert, condition: 'ended', endedAt }, [], { because: 'administrative', reason }, now);
}
