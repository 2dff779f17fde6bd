import type { EvaluatedReport } from '../../lib/alerts/evaluateSymptoms';
import { answeredTo, nextSymptomEpisode } from '../../lib/alerts/symptomEpisode';
import type { Parameter } from '../../lib/alerts/parameters';
import type { EpochMs } from '../../lib/time/epochMs';
import { type PatientRuleState } from './patientRuleState';
import { applyTechnical, type ChangeContext } from './subject';

/** Returns up to when a patient's reports are answered: those that were recorded later still count. */
export function symptomsResolvedTo({ resetAt }: Pick<PatientRuleState, 'resetAt'>): EpochMs {
  return resetAt.symptoms ?? resetAt.readings ?? 0;
}

/**
 * Takes a patient's reports of symptoms since `symptomsFrom`, with some before. No standby holds them back
 * (clinical.md section 0, Y2).
 */
export function applySymptoms(
  patient: PatientRuleState,
  reports: readonly EvaluatedReport[],
  context: ChangeContext,
): PatientRuleState {
  const before = patient.technical.symptoms ?? null;
  const episode = nextSymptomEpisode(before, reports, symptomsResolvedTo(patient), context.now);
  return applyTechnical(patient, 'symptoms', episode, context);
}

/** What is answered when a person closes its alert. */
const answerable = ['symptoms', 'callRequest', 'checkInLink'] as const;

/**
 * Returns the state after a person closed the alert of a parameter: the reports that it rests on, the requests for a
 * call or the locked links that are known are answered.
 */
export function answer(patient: PatientRuleState, parameter: Parameter): PatientRuleState {
  const answered = answerable.find((known) => known === parameter);
  const episode = answered === undefined ? undefined : patient.technical[answered];
  if (answered === undefined || episode === undefined || answered === 'symptoms') {
    return answered === 'symptoms' ? answerReports(patient) : patient;
  }
  const technical = Object.fromEntries(Object.entries(patient.technical).filter(([name]) => name !== answered));
  return { ...patient, technical, resetAt: { ...patient.resetAt, [answered]: episode.since } };
}

function answerReports(patient: PatientRuleState): PatientRuleState {
  const { symptoms, ...technical } = patient.technical;
  return symptoms?.endedAt === null
    ? { ...patient, technical, resetAt: { ...patient.resetAt, symptoms: answeredTo(symptoms) } }
    : patient;
}
