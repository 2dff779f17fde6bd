import { isDeepStrictEqual } from 'node:util';
import { judgeAnew } from '../../lib/alerts/judgeAnew';
import { adjustableRules, news2LimitsOf } from '../../lib/alerts/limits';
import type { News2PartName } from '../../lib/alerts/news2Values';
import { forgetNews2Parts, idleNews2 } from '../../lib/alerts/stepNews2';
import { isOfEquipment, isTechnical, parameters, type Parameter } from '../../lib/alerts/parameters';
import { evidenceOf, resetStreams } from '../../lib/alerts/ruleState';
import { episodesOf } from '../../lib/alerts/stream';
import { byStream, streamNames, streams, type StreamName } from '../../lib/alerts/streams';
import { closeAlert, isOpen, type Alert, type AlertChange } from '../../lib/alerts/alert';
import { unreadEvidence } from '../../lib/alerts/evidence';
import { takeEpisode } from '../../lib/alerts/takeEpisode';
import { standbyMoved } from '../../lib/alerts/pauses';
import { rescaledWorst, takeRescaled } from '../../lib/alerts/takeRescaled';
import type { EpochMs } from '../../lib/time/epochMs';
import type { PatientRow } from '../db/rows';
import { evaluateSpo2Again } from './home';
import { isHeld, withSetting, type PatientRuleState } from './patientRuleState';
import { applyChange, applyOccasion, closeAll, type ChangeContext } from './subject';
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

/** Says that the patient's standby is over, if one runs: they come to another unit (clinical.md section 00, A3). */
export function endStandby(patient: PatientRuleState, context: ChangeContext): PatientRuleState {
  const { now } = context;
  return isHeld(patient, now) ? applyOccasion(patient, 'standby', { ...standbyMoved, since: now }, context) : patient;
}

/** The set that was typed last has other points now, or other limits: it counts as a new one. */
const asNewSave = { typedAt: 0, saved: {} };

/** Evaluates what lasts, and its alerts, by the new SpO2 scale (clinical.md section 0, W). */
function withScale(patient: PatientRuleState, context: ChangeContext): PatientRuleState {
  const rescored = { ...patient, news2: { ...patient.news2, ...asNewSave } };
  const after = judgedAnew(rescored, 'oxygenation', takeRescaled, context);
  return patient.profile === 'home' ? evaluateSpo2Again(after, context) : after;
}

/**
 * Returns the state with other settings. What lasts is evaluated by limits that changed with them, as comfort care
 * begins or ends too (section 00, A13), and priority, plan and words of its alerts follow; a HIGH one that is over and
 * that no one has seen stays latched (A9).
 */
export function withSettings(
  patient: PatientRuleState,
  change: Parameters<typeof withSetting>[1],
  context: ChangeContext,
): PatientRuleState {
  const settled = withSetting(patient, change);
  const rescored = withScoreLimits(patient, settled);
  const after = settled.isComfortCare ? closeAll(rescored, ['outOfReach'], 'comfort care', context) : rescored;
  const limitsOf = ({ plans }: PatientRuleState, name: StreamName): string =>
    JSON.stringify(plans[name].groups.map(({ rules }) => rules.map(({ limits }) => limits)));
  const changed = streamNames.filter((name) => limitsOf(patient, name) !== limitsOf(after, name));
  return patient.profile === 'home'
    ? after
    : changed.reduce((before, name) => judgedAnew(before, name, takeOtherLimits(patient, after), context), after);
}

/** Returns the state whose score is evaluated again if its limits changed: what the new ones do not cover is over. */
function withScoreLimits(before: PatientRuleState, after: PatientRuleState): PatientRuleState {
  const [known, limits] = [before, after].map(({ holding, row, isComfortCare }) =>
    news2LimitsOf({ ...holding, scale: row.spo2_scale, isComfortCare }),
  );
  if (limits === undefined || isDeepStrictEqual(known, limits)) {
    return after;
  }
  // Without an active sum there is nothing that could be over.
  const isActive = Object.keys(after.news2.held).length > 0;
  const { timers } = isActive ? forgetNews2Parts(after.news2, [], limits) : after.news2;
  return { ...after, news2: { ...after.news2, timers, ...asNewSave } };
}

/** Returns what takes an alert after its limits changed; a HIGH one that no one has seen says what ended it. */
const takeOtherLimits =
  (before: PatientRuleState, after: PatientRuleState): typeof takeRescaled =>
  (alert, group, episode, now) => {
    if (episode.endedAt === null) {
      return takeRescaled(alert, group, episode, now);
    }
    const change = takeEpisode(alert, group.parameter, episode, now, { isHeld: true });
    const limitMoved = change?.alert.latched === true ? limitMove(before, after, change.alert) : undefined;
    return change && { ...change, alert: { ...change.alert, limitMoved } };
  };

/** Returns from where to where the limit of an alert was moved, and by whom; undefined: it is another one. */
function limitMove(before: PatientRuleState, after: PatientRuleState, { rule }: Alert): Alert['limitMoved'] {
  const valuesOf = ({ plans }: PatientRuleState): number[] =>
    streamNames.flatMap((name) =>
      plans[name].groups
        .flatMap(({ rules }) => rules.filter(({ id }) => id === rule))
        .flatMap(({ limits }) => limits?.raise.map(({ value }) => value) ?? []),
    );
  const now = valuesOf(after);
  const [move] = valuesOf(before).flatMap((from, index) => {
    const to = now[index] ?? from;
    return to === from ? [] : [{ from, to }];
  });
  // Desaturation follows the low limit.
  const own = adjustableRules.find((id) => id === (rule === 'spo2.desat' ? 'spo2.low' : rule));
  return move && { ...move, by: (own && after.holding.limitsBy?.[own]) ?? null };
}

/** Evaluates what lasts in a stream, and its alerts, by the limits that hold from now on. */
function judgedAnew(
  patient: PatientRuleState,
  name: StreamName,
  take: typeof takeRescaled,
  context: ChangeContext,
): PatientRuleState {
  const { plans, resetAt } = patient;
  const { now } = context;
  const stream = judgeAnew(patient.ruleState[name], plans[name], now);
  const ruleState = { ...patient.ruleState, [name]: stream };
  const judged: PatientRuleState = { ...patient, ruleState, resetAt: { ...resetAt, [name]: now } };
  return plans[name].groups.reduce((before, group, index) => {
    const { parameter } = group;
    const episode = episodesOf(stream)[index] ?? null;
    const record = before.records[parameter];
    if (record === undefined || episode === null || !isOpen(record.alert) || record.alert.condition === 'ended') {
      return before;
    }
    const change = take(record.alert, group, episode, now) ?? { alert: record.alert, events: [] };
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
  }, judged);
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
 * Takes over that a device was taken off: its silence is not missed, and closed are its technical alerts, the LOW ones
 * of its values and MEDIUM ones whose outcome somebody has said. Others about the patient go on without a
 * value: another source or a person ends them (clinical.md section 00, A4). `left` are the streams that no other device
 * measures; `isLast`: no other device is assigned whose silence could be missed.
 */
export function forgetSignals(
  given: PatientRuleState,
  left: readonly StreamName[],
  { isLast }: { isLast: boolean },
  context: ChangeContext,
): PatientRuleState {
  const goesOn = (parameter: Parameter): boolean => {
    const alert = given.records[parameter]?.alert ?? null;
    const isAnswered = alert?.priority === 'low' || (alert?.priority === 'medium' && alert.outcome !== null);
    return isOpen(alert) && !isAnswered && !isTechnical(parameter);
  };
  const ofStreams = left.flatMap((name) => parametersOf(name).filter((parameter) => !goesOn(parameter)));
  const calm = left.filter((name) => !parametersOf(name).some(goesOn));
  const equipment = isLast ? parameters.filter(isOfEquipment) : [];
  const closed = closeAll(given, [...ofStreams, ...equipment], 'device taken off', context);
  const technical = Object.fromEntries(
    Object.entries(closed.technical).filter(([parameter]) => !equipment.some((one) => one === parameter)),
  );
  return {
    ...closed,
    ...withoutStreams(closed, calm, context.now),
    technical,
    signalsFrom: isLast ? context.now : closed.signalsFrom,
  };
}

export const parametersOf = (name: StreamName): Parameter[] => streams[name].groups.map(({ parameter }) => parameter);

/** Returns some streams after a reset. */
function withoutStreams(patient: PatientRuleState, names: readonly StreamName[], now: EpochMs) {
  return {
    ruleState: resetStreams(patient.ruleState, patient.plans, names, now),
    resetAt: { ...patient.resetAt, ...Object.fromEntries(names.map((name) => [name, now])) },
  };
}

/**
 * Returns what a person's resolving does to an alert whose device was taken off: no value would end it, so they do.
 * `off` are the streams without a device.
 */
export function resolveWithoutDevice(
  patient: PatientRuleState,
  change: AlertChange,
  off: readonly StreamName[],
  now: EpochMs,
): { patient: PatientRuleState; change: AlertChange } {
  const { alert, events } = change;
  const isResolved = alert.condition === 'active' && isOpen(alert) && events.some(({ is }) => is === 'resolved');
  const names = off.filter((name) => parametersOf(name).includes(alert.parameter));
  const after = !isResolved
    ? patient
    : alert.parameter === 'news2'
      ? withoutParts(patient, off)
      : names.length > 0
        ? { ...patient, ...withoutStreams(patient, names, now) }
        : patient;
  const isOver = after !== patient && (alert.parameter !== 'news2' || after.news2 === idleNews2);
  return isOver
    ? {
        patient: after,
        change: closeAlert({ ...alert, condition: 'ended', endedAt: now }, events, { because: 'resolved' }, now),
      }
    : { patient, change };
}

/** Returns the score without the parts that no device measures any more; idle if nothing else keeps it active. */
function withoutParts(patient: PatientRuleState, off: readonly StreamName[]): PatientRuleState {
  const { holding, row, isComfortCare } = patient;
  const parts = off.flatMap((name): News2PartName[] =>
    name === 'oxygenation' ? ['spo2'] : name === 'rate' ? ['pulse'] : [],
  );
  const limits = news2LimitsOf({ ...holding, scale: row.spo2_scale, isComfortCare });
  const { timers } = forgetNews2Parts(patient.news2, parts, limits);
  const isLeft = Object.values(timers).some(({ phase }) => phase === 'active');
  return isLeft ? patient : { ...patient, news2: idleNews2 };
}
