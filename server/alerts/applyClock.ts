import { callRequestedRule, linkLockedRule, linkMisusedRule, nextNews } from '../../lib/checkIn/checkInAlarms';
import { hasRateLimits } from '../../lib/alerts/limits';
import { unreceivedHandoff } from '../../lib/handoffs/unreceived';
import { noMonitorRule } from '../../lib/alerts/technicalRules';
import { isChild } from '../../lib/patients/patientNews2';
import { isInComfortCare, standbyNews } from '../../lib/alerts/pauses';
import type { ClockFacts } from './clockFacts';
import { withSettings } from './closePatient';
import { evaluateHome } from './home';
import { evaluateMonitored, raiseHeldStreams } from './monitored';
import { isHeld, type PatientRuleState } from './patientRuleState';
import { applyActive, applyEpisode, applyOccasion, applyTechnical, escalateAll, type ChangeContext } from './subject';

/**
 * Evaluates what depends on time alone: the end of a standby, silence, second readings that did not arrive, escalation
 * and reminders.
 */
export function applyClock(given: PatientRuleState, facts: ClockFacts, context: ChangeContext): PatientRuleState {
  const { now } = context;
  let patient = given;
  if (!isHeld(patient, now)) {
    patient = raiseWhatWasHeld(patient, context);
  }
  const isComfortCare = isInComfortCare(patient.holding.comfortCare, now);
  const isUnder16 = isChild(patient.row.date_of_birth, now, patient.holding.timeZone);
  if (isComfortCare !== patient.isComfortCare || isUnder16 !== patient.isUnder16) {
    patient = withSettings(patient, { isComfortCare, isUnder16 }, context);
  }
  patient =
    patient.profile === 'continuous'
      ? evaluateMonitored(patient, facts, context)
      : evaluateHome(patient, facts, context);
  patient = applyStandby(patient, context);
  patient = applyMissingLimits(patient, context);
  patient = applyUnreceivedHandoff(patient, context);
  patient = applyLostMonitor(patient, context);
  patient = applyCheckInNews(patient, context);
  return escalateAll(patient, context);
}

/**
 * Raises what a standby, or a site without rules, held back and what still applies. The rules report each condition
 * once, so nothing else would raise it.
 */
function raiseWhatWasHeld(patient: PatientRuleState, context: ChangeContext): PatientRuleState {
  const after = patient.profile === 'continuous' ? raiseHeldStreams(patient, context) : patient;
  return applyEpisode(after, 'symptoms', after.technical.symptoms ?? null, context);
}

/** Asks for the limits of a child: until a physician sets them, most rules about the rate are off (N3). */
function applyMissingLimits(patient: PatientRuleState, context: ChangeContext): PatientRuleState {
  const isMissing = patient.isUnder16 && !patient.isComfortCare && !hasRateLimits(patient.holding.ownLimits);
  const missing = { rule: 'limits.none', priority: 'medium', since: context.now } as const;
  return applyActive(patient, 'limits', [isMissing ? missing : null], context);
}

/** Asks the ward lead about a handoff that no one has received in time. */
function applyUnreceivedHandoff(patient: PatientRuleState, context: ChangeContext): PatientRuleState {
  return applyActive(patient, 'handoff', [unreceivedHandoff(patient.holding.handoffGivenAt, context.now)], context);
}

/** Asks for a monitor if a discharge that was taken back has left a patient without the one before (A4). */
function applyLostMonitor(patient: PatientRuleState, context: ChangeContext): PatientRuleState {
  const since = patient.profile === 'continuous' ? patient.holding.monitorLostAt : null;
  return applyActive(patient, 'monitor', [since === null ? null : { ...noMonitorRule, since }], context);
}

/** Raises that a patient at home asks for a call, or cannot check in: no standby holds it back (clinical.md, Y2). */
function applyCheckInNews(given: PatientRuleState, context: ChangeContext): PatientRuleState {
  const { calledAt, lastCalledAt, lockedAt, misusedAt } = given.holding.checkIn;
  const ofLink =
    (misusedAt ?? 0) > (lockedAt ?? 0)
      ? ([linkMisusedRule, misusedAt] as const)
      : ([linkLockedRule, lockedAt] as const);
  let patient = given;
  for (const [parameter, rule, raisedAt, newestAt] of [
    ['callRequest', callRequestedRule, calledAt, lastCalledAt],
    ['checkInLink', ofLink[0], ofLink[1], ofLink[1]],
  ] as const) {
    const before = patient.technical[parameter] ?? null;
    const episode = nextNews(before, rule, { raisedAt, newestAt }, patient.resetAt[parameter] ?? 0, context.now);
    patient = applyTechnical(patient, parameter, episode, context);
  }
  return patient;
}

/**
 * Raises an alert when a standby goes on from another one, each time (clinical.md section 0, B1). That a move ended one
 * lasts until somebody acknowledges it.
 */
function applyStandby(patient: PatientRuleState, context: ChangeContext): PatientRuleState {
  const isSeen = (patient.records.standby?.alert.acknowledged ?? null) !== null;
  const lasting = isSeen ? null : (patient.technical.standby ?? null);
  return applyOccasion(patient, 'standby', standbyNews(patient.holding.standby, lasting, context.now), context);
}
