import { judgeAnew } from '../../lib/alerts/judgeAnew';
import { news2LimitsOf } from '../../lib/alerts/limits';
import type { News2PartName } from '../../lib/alerts/news2Values';
import { forgetNews2Parts, idleNews2 } from '../../lib/alerts/stepNews2';
import { isOfEquipment, parameters, type Parameter } from '../../lib/alerts/parameters';
import { evidenceOf, resetStreams } from '../../lib/alerts/ruleState';
import { episodesOf } from '../../lib/alerts/stream';
import { byStream, streamNames, streams, type StreamName } from '../../lib/alerts/streams';
import { isOpen } from '../../lib/alerts/alert';
import { unreadEvidence } from '../../lib/alerts/evidence';
import { rescaledWorst, takeRescaled } from '../../lib/alerts/takeRescaled';
import type { EpochMs } from '../../lib/time/epochMs';
import type { PatientRow } from '../db/rows';
import { evaluateSpo2Again } from './home';
import { withSetting, type PatientRuleState } from './patientRuleState';
import { applyChange, closeAll, type ChangeContext } from './subject';
import { symptomsResolvedTo } from './symptoms';

/** Closes all alerts of a patient who has left and resets the rules, also for a discharge by mistake. */
export function closePatient(patient: PatientRuleState, reason: string, context: ChangeContext): PatientRuleState {
  return resetRules(closeAll(patient, parameters, reason, context), context.now);
}

/** What no rule of either profile judges. */
const staying = ['symptoms', 'callRequest', 'checkInLink'] as const;

/**
 * Returns the state after the patient's row changed. Other rules apply at home than on the ward, and they would not end
 * former conditions: these are closed and the rules are reset. What patients reported and asked for stays.
 */
export function withRow(patient: PatientRuleState, row: PatientRow, context: ChangeContext): PatientRuleState {
  if (row.profile === patient.profile) {
    const after = withSetting(patient, { row });
    return row.spo2_scale === patient.row.spo2_scale ? after : withScale(after, context);
  }
  const judgedOtherwise = parameters.filter((parameter) => !staying.some((one) => one === parameter));
  const closed = closeAll(patient, judgedOtherwise, row.profile === 'home' ? 'went home' : 'came to the ward', context);
  const reset = resetRules(closed, context.now);
  const { callRequest = 0, checkInLink = 0 } = patient.resetAt;
  const resetAt = { ...reset.resetAt, symptoms: symptomsResolvedTo(patient), callRequest, checkInLink };
  const technical: PatientRuleState['technical'] = Object.fromEntries(
    staying.flatMap((parameter) => {
      const episode = patient.technical[parameter];
      return episode === undefined ? [] : [[parameter, episode]];
    }),
  );
  return withSetting({ ...reset, technical, resetAt }, { row });
}

/** Evaluates what lasts, and its alerts, by the new SpO2 scale (clinical.md section 0, W). */
function withScale(patient: PatientRuleState, context: ChangeContext): PatientRuleState {
  const { plans, resetAt } = patient;
  const { now } = context;
  const oxygenation = judgeAnew(patient.ruleState.oxygenation, plans.oxygenation, now);
  const ruleState = { ...patient.ruleState, oxygenation };
  const rescaled: PatientRuleState = {
    ...patient,
    ruleState,
    // The set that was typed last has other points now: it counts as a new one.
    news2: { ...patient.news2, typedAt: 0, saved: {} },
    resetAt: { ...resetAt, oxygenation: now },
  };
  const after = plans.oxygenation.groups.reduce((before, group, index) => {
    const { parameter } = group;
    const episode = episodesOf(oxygenation)[index] ?? null;
    const record = before.records[parameter];
    if (record === undefined || episode === null || !isOpen(record.alert) || record.alert.condition === 'ended') {
      return before;
    }
    const change = takeRescaled(record.alert, group, episode, now) ?? { alert: record.alert, events: [] };
    const evidence =
      record.evidence === unreadEvidence
        ? unreadEvidence
        : { ...record.evidence, worst: rescaledWorst(change.alert, group, episode) };
    return applyChange(
      { ...before, records: { ...before.records, [parameter]: { ...record, evidence } } },
      parameter,
      change,
      () => evidenceOf(ruleState, plans, parameter, change.alert.rule),
      context,
    );
  }, rescaled);
  return patient.profile === 'home' ? evaluateSpo2Again(after, context) : after;
}

/** Resets all rules: earlier values do not count any more, and no earlier signal is missed. */
function resetRules(patient: PatientRuleState, now: EpochMs): PatientRuleState {
  return {
    ...patient,
    ruleState: resetStreams(patient.ruleState, patient.plans, streamNames, now),
    spots: {},
    technical: {},
    news2: idleNews2,
    signalsFrom: now,
    resetAt: {
      ...byStream(() => now),
      readings: now,
      symptoms: now,
      callRequest: now,
      checkInLink: now,
    } satisfies Required<PatientRuleState['resetAt']>,
  };
}

/**
 * Takes over that a device was taken off on purpose: its silence is not missed. `left` are the streams that no other
 * device measures. No value could end their alerts, so these are closed with those of the equipment, and the streams
 * are reset (clinical.md section 4).
 */
export function forgetSignals(
  given: PatientRuleState,
  left: readonly StreamName[],
  context: ChangeContext,
): PatientRuleState {
  const { holding, row, isComfortCare } = given;
  const parts = left.flatMap((name): News2PartName[] =>
    name === 'oxygenation' ? ['spo2'] : name === 'rate' ? ['pulse'] : [],
  );
  const news2 = forgetNews2Parts(
    given.news2,
    parts,
    news2LimitsOf({ ...holding, scale: row.spo2_scale, isComfortCare }),
  );
  const isScoreLeft = Object.values(news2.timers).every(({ phase }) => phase !== 'active');
  const ofStreams = left.flatMap((name) => streams[name].groups.map(({ parameter }): Parameter => parameter));
  const closed = closeAll(
    given,
    [...ofStreams, ...(isScoreLeft ? (['news2'] as const) : [])],
    'device taken off',
    context,
  );
  const patient: PatientRuleState = {
    ...closed,
    ruleState: resetStreams(closed.ruleState, closed.plans, left, context.now),
    news2: isScoreLeft ? { ...idleNews2, typedAt: news2.typedAt, saved: news2.saved } : news2,
    resetAt: { ...closed.resetAt, ...Object.fromEntries(left.map((name) => [name, context.now])) },
  };
  const equipment = parameters.filter(isOfEquipment);
  const technical = Object.fromEntries(
    Object.entries(patient.technical).filter(([parameter]) => !equipment.some((one) => one === parameter)),
  );
  return {
    ...closeAll(patient, equipment, 'device taken off', context),
    technical,
    signalsFrom: context.now,
  };
}
