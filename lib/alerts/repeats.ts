import { assignmentRoleLabels, type AssignmentRole } from '../assignments/roles';
import type { User } from '../session/schema';
import type { EpochMs } from '../time/epochMs';
import { isAnswered, type Alert } from './alert';
import type { EscalationPlans, EscalationStep } from './escalation';
import { callWords } from './escalationWords';
import { isTechnical } from './parameters';
import { hasOwnPlans } from './plansOf';

const minute = 60_000;
const hour = 60 * minute;

/** A MEDIUM alert about the patient asks the whole unit again so often, then the one in charge alone, hourly (A2). */
const mediumRepeats = 4;

/** How long the answer to a call for help outside holds its step, in milliseconds (clinical.md section 00, A10). */
const answerHoldsMs = 15 * minute;

/** How long an acknowledgement holds the repeats of a MEDIUM alert, in milliseconds (A2). */
const acknowledgementHoldsMs = hour;

/** Returns whether everyone was asked whom the plan of a HIGH or MEDIUM alert asks. */
function isAtEnd({ escalation: { step, asked }, priority }: Alert, plans: EscalationPlans): boolean {
  return priority !== 'low' && asked.length > 0 && step >= plans[priority].length;
}

/** Returns who answers for the unit by a plan: the charge nurse, at home the duty clinician and the ward lead. */
function inCharge(plan: readonly EscalationStep[]): AssignmentRole[] {
  const roles = new Set(plan.flatMap((step) => step.roles));
  return (['charge_nurse', 'duty_clinician', 'ward_lead'] as const).filter((role) => roles.has(role));
}

/**
 * Returns whom an alert that lasts asks again after the last step of its plan, and when (clinical.md section 00, A2);
 * null: no one. A physician is asked at most each 30 min.
 */
export function repeatOf(alert: Alert, plans: EscalationPlans): { at: EpochMs; step: EscalationStep } | null {
  const { escalation, priority, parameter, condition, acknowledged, lastRaisedAt } = alert;
  if (!isAtEnd(alert, plans) || condition === 'ended' || hasOwnPlans(parameter)) {
    return null;
  }
  const { asked, repeats, answered } = escalation;
  const plan = plans[priority];
  const wholeUnit = priority === 'high' || (!isTechnical(parameter) && repeats < mediumRepeats);
  const everyMs = priority === 'high' ? 5 * minute : wholeUnit ? 15 * minute : hour;
  const isOfPhysician = wholeUnit && ((repeats + 1) * everyMs) % (30 * minute) === 0;
  const contact = plan.at(-1)?.contact;
  const last = Math.max(lastRaisedAt, ...asked.map(({ at }) => at));
  const heldUntil =
    priority === 'high'
      ? (answered?.at ?? -Infinity) + answerHoldsMs
      : (acknowledged?.at ?? -Infinity) + acknowledgementHoldsMs;
  return {
    at: Math.max(last + everyMs, heldUntil),
    step: {
      afterMs: 0,
      roles: [...inCharge(plan), ...(isOfPhysician ? (['on_call_physician'] as const) : [])],
      ...(wholeUnit ? { wholeUnit } : {}),
      ...(contact === undefined ? {} : { contact }),
    },
  };
}

/**
 * Returns whom somebody has to call about an alert that no one has answered after the last step of its plan (A2), for
 * its headline: "Nobody has answered. Call rapid response (112)"; null: somebody has, or a step is left.
 */
export function unansweredWords(
  alert: Alert,
  plans: EscalationPlans,
  { emergencyNumber, rapidResponseNumber }: Pick<User['site'], 'emergencyNumber' | 'rapidResponseNumber'>,
  now: EpochMs,
): string | null {
  const { escalation, condition, acknowledged, priority } = alert;
  const { answered } = escalation;
  const isHelpKnown = answered !== null && now - answered.at < answerHoldsMs;
  if (
    !isAtEnd(alert, plans) ||
    condition === 'ended' ||
    acknowledged !== null ||
    isHelpKnown ||
    isAnswered(alert, now)
  ) {
    return null;
  }
  const plan = plans[priority];
  const contact = plan.at(-1)?.contact;
  const [role] = inCharge(plan);
  const dialled = contact === 'rapid_response' ? rapidResponseNumber : emergencyNumber;
  const number = dialled === null ? '' : ` (${dialled})`;
  const call =
    contact === undefined
      ? `call the ${role === undefined ? 'unit' : assignmentRoleLabels[role].toLowerCase()}`
      : `${callWords[contact]}${number}`;
  return `Nobody has answered. C${call.slice(1)}`;
}
