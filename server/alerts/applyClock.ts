import type { Active } from '../../lib/alerts/episode';
import { isInComfortCare } from '../../lib/alerts/pauses';
import type { ClockFacts } from './clockFacts';
import { evaluateHome } from './home';
import { evaluateMonitored, raiseHeldStreams } from './monitored';
import { isHeld, withAlerts, withSetting, type PatientRuleState } from './patientRuleState';
import { applyActive, applyEpisode, escalateAll, noSamples, type ChangeContext } from './subject';

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
  if (isComfortCare !== patient.isComfortCare) {
    patient = withSetting(patient, { isComfortCare });
  }
  patient =
    patient.profile === 'continuous'
      ? evaluateMonitored(patient, facts, context)
      : evaluateHome(patient, facts, context);
  patient = escalateAll(patient, context);
  return patient.records === given.records ? patient : withAlerts(patient);
}

/**
 * Raises what a standby, or a site without rules, held back and what still applies. The rules report each condition
 * once, so nothing else would raise it.
 */
function raiseWhatWasHeld(patient: PatientRuleState, context: ChangeContext): PatientRuleState {
  let after = patient;
  if (after.profile === 'continuous') {
    after = raiseHeldStreams(after, context);
  }
  after = applyEpisode(
    after,
    'symptoms',
    after.technical.symptoms ?? null,
    { isHeld: false, evidence: noSamples },
    context,
  );
  return after.records === patient.records ? after : withAlerts(after);
}

/** Takes the active rule of a patient's newest report of symptoms; null: none. */
export function applySymptoms(
  patient: PatientRuleState,
  active: Active | null,
  context: ChangeContext,
): PatientRuleState {
  const after = applyActive(
    patient,
    'symptoms',
    active === null ? [] : [active],
    { isHeld: isHeld(patient, context.now) },
    context,
  );
  return after.records === patient.records ? after : withAlerts(after);
}
