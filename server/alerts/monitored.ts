import { unsettle } from '../../lib/alerts/actions';
import type { Alert } from '../../lib/alerts/alert';
import { isDisputed } from '../../lib/alerts/evaluateGroups';
import { isSettled, presentFeeds } from '../../lib/alerts/feeds';
import { isTechnical, type Parameter } from '../../lib/alerts/parameters';
import type { Settled } from '../../lib/alerts/plan';
import { poorSignal } from '../../lib/alerts/poorSignal';
import {
  evaluateSample,
  evaluateSamplesBehind,
  evidenceOf,
  isBehind,
  raiseHeld,
  replayStreams,
  type How,
  type ParameterChange,
  type RuleSample,
  type RuleState,
} from '../../lib/alerts/ruleState';
import { streamNames, type StreamName } from '../../lib/alerts/streams';
import { evaluateSignals, type Signal } from '../../lib/alerts/technicalRules';
import type { EpochMs } from '../../lib/time/epochMs';
import type { ClockFacts } from './clockFacts';
import { applyNews2 } from './news2';
import { isHeld, withSetting, type PatientRuleState } from './patientRuleState';
import { applyActive, applyChange, type ChangeContext } from './subject';

/**
 * Takes samples of a continuously monitored patient that arrived together, whatever their order: those behind values
 * that were taken before are evaluated at once, the others one after another.
 */
export function takeSamples(
  patient: PatientRuleState,
  samples: readonly RuleSample[],
  context: ChangeContext,
): PatientRuleState {
  let after = patient;
  let { ruleState } = patient;
  const how = { ...howOf(patient, context.now), alertOf: (parameter: Parameter) => alertOf(after, parameter) };
  const take = (evaluated: ReturnType<typeof evaluateSample>): void => {
    ({ ruleState } = evaluated);
    // Most values change no alert, so a patient is copied once a call.
    if (evaluated.changes.length > 0) {
      after = applyChanges(after, ruleState, evaluated.changes, context);
    }
  };
  const { plans } = patient;
  const behind: RuleSample[] = [];
  let others = samples;
  if (samples.length > 1) {
    const inOrder: RuleSample[] = [];
    for (const sample of samples) {
      const isLate = sample.isWithdrawn !== true && isBehind(ruleState, sample, context.now);
      (isLate ? behind : inOrder).push(sample);
    }
    others = inOrder.sort((a, b) => a.measuredAt - b.measuredAt);
  }
  if (behind.length > 0) {
    take(evaluateSamplesBehind(ruleState, plans, behind, context.now, how));
  }
  for (const sample of others) {
    take(evaluateSample(ruleState, plans, sample, context.now, how));
  }
  return ruleState === patient.ruleState ? after : withRuleState(after, ruleState);
}

/** Evaluates some streams again from the values that are left of the last hours: others were withdrawn. */
export function takeLeft(
  patient: PatientRuleState,
  names: readonly StreamName[],
  left: readonly { sample: RuleSample; receivedAt: EpochMs }[],
  context: ChangeContext,
): PatientRuleState {
  const { ruleState, plans } = patient;
  const replayed = replayStreams(ruleState, plans, names, left, context.now, howOf(patient, context.now));
  return applyChanges(withRuleState(patient, replayed.ruleState), replayed.ruleState, replayed.changes, context);
}

const alertOf = ({ records }: PatientRuleState, parameter: Parameter): Alert | null =>
  records[parameter]?.alert ?? null;

const howOf = (patient: PatientRuleState, now: EpochMs): How => ({
  isHeld: isHeld(patient, now),
  alertOf: (parameter) => alertOf(patient, parameter),
});

/**
 * Written out, because every sample runs through here and a spread of so many fields costs as much as its evaluation.
 */
function withRuleState(patient: PatientRuleState, ruleState: RuleState): PatientRuleState {
  return {
    siteId: patient.siteId,
    patientId: patient.patientId,
    deviceId: null,
    profile: patient.profile,
    records: patient.records,
    technical: patient.technical,
    kept: patient.kept,
    row: patient.row,
    holding: patient.holding,
    every: patient.every,
    evaluatesTrends: patient.evaluatesTrends,
    isComfortCare: patient.isComfortCare,
    isUnder16: patient.isUnder16,
    plans: patient.plans,
    ruleState,
    spots: patient.spots,
    news2: patient.news2,
    signalsFrom: patient.signalsFrom,
    resetAt: patient.resetAt,
  };
}

/** Writes each changed alert, with the evidence that a rule state has for it. */
function applyChanges(
  patient: PatientRuleState,
  ruleState: RuleState,
  changes: readonly ParameterChange[],
  context: ChangeContext,
): PatientRuleState {
  return changes.reduce(
    (after, { parameter, change }) =>
      applyChange(
        after,
        parameter,
        change,
        () => evidenceOf(ruleState, patient.plans, parameter, change.alert.rule),
        context,
      ),
    patient,
  );
}

/** Raises what the rules of the streams held back and what still applies. */
export function raiseHeldStreams(patient: PatientRuleState, context: ChangeContext): PatientRuleState {
  const { ruleState, plans } = patient;
  const changes = raiseHeld(ruleState, plans, context.now, howOf(patient, context.now));
  return changes.length === 0 ? patient : applyChanges(patient, ruleState, changes, context);
}

/** Evaluates by the clock what is monitored continuously: silence, sensors, the score. */
export function evaluateMonitored(
  patient: PatientRuleState,
  facts: ClockFacts,
  context: ChangeContext,
): PatientRuleState {
  const { now } = context;
  const held = { isHeld: isHeld(patient, now) };
  let after = applySettled(patient, context);
  const counted = facts.signals
    .filter(({ lastSeenAt }) => lastSeenAt >= patient.signalsFrom)
    .map((signal) => sinceListening(signal, patient, facts.listeningSince));
  const { isContinuousRequired } = facts;
  const found = evaluateSignals(counted, now, { isContinuousRequired, isPoor: poorSignalOf(patient, now) !== null });
  for (const parameter of ['reporting', 'sensor'] as const) {
    // What a silent gateway carries is not known, so it ends no alert.
    if (found[parameter].length > 0 || !facts.isGatewaySilent) {
      after = applyActive(after, parameter, found[parameter], context, held);
    }
  }
  if (facts.news2 !== null) {
    after = applyNews2(after, facts.news2, context);
  }
  return after;
}

/** Returns the values of the oximeters, and the time of the newest one; a minute ago if all have been silent since. */
function oximetersAt({ ruleState: { oxygenation } }: PatientRuleState, now: EpochMs) {
  const { timings, state } = oxygenation.head;
  const at = Math.max(oxygenation.newest?.newest.entry.at ?? 0, now - 60_000);
  return { state, feeds: { feeds: state.feeds, timings }, at };
}

/** Returns which of two monitors that contradict each other a person can let count, each with the one that yields. */
export function sourceChoices(patient: PatientRuleState, now: EpochMs): { counts: number; yields: number }[] {
  const plan = patient.plans.oxygenation;
  const { state, feeds, at } = oximetersAt(patient, now);
  const present = isDisputed(plan, state) ? presentFeeds(plan, feeds, at) : [];
  const [one = -1, other = -1] = present.map(({ feed }) => feed.deviceId ?? -1);
  const holds = (pair: { counts: number; yields: number }): boolean =>
    isSettled({ ...plan, settled: { ...pair, at: 0, until: Infinity } }, feeds, at);
  return other < 0
    ? []
    : [
        { counts: one, yields: other },
        { counts: other, yields: one },
      ].filter(holds);
}

/** Applies a person's choice of a source. Ends one that does not hold any more, so that it never comes back. */
function applySettled(patient: PatientRuleState, context: ChangeContext): PatientRuleState {
  const { now } = context;
  const plan = patient.plans.oxygenation;
  const { alert, evidence } = patient.records.spo2 ?? {};
  const settled = alert?.settled;
  const { feeds, at } = oximetersAt(patient, now);
  const isOver = (of: Settled): boolean =>
    // The newest value may still be one of before the choice.
    now >= of.until || !isSettled({ ...plan, settled: { ...of, at: 0 } }, feeds, at);
  if (alert === undefined || evidence === undefined || settled === undefined || !isOver(settled)) {
    return settled === plan.settled ? patient : withSetting(patient, {});
  }
  const change = unsettle(alert, { is: 'unsettled', at: now }, now);
  const after = applyChange(patient, 'spo2', change, () => evidence, context);
  return withSetting(after, {});
}

/** Returns how often a poor signal raises an alert of a patient again and again (`poorSignal`); null: it does not. */
export function poorSignalOf({ ruleState, plans, records, signalsFrom }: PatientRuleState, now: EpochMs) {
  const found = streamNames.flatMap((name) =>
    plans[name].groups.flatMap(({ parameter }, group) => {
      const place = { plan: plans[name], stream: ruleState[name], group };
      const alert = records[parameter]?.alert ?? null;
      return isTechnical(parameter) ? [] : (poorSignal(alert, place, signalsFrom, now) ?? []);
    }),
  );
  return found[0] ?? null;
}

/** While the server was down no signal could arrive. A signal that was missing before is still missing. */
function sinceListening(signal: Signal, { technical }: PatientRuleState, since: EpochMs): Signal {
  const isSilent = [technical.reporting, technical.sensor].some(
    (episode) => episode !== undefined && episode.endedAt === null,
  );
  return isSilent
    ? signal
    : { ...signal, validAt: Math.max(signal.validAt, since), lastSeenAt: Math.max(signal.lastSeenAt, since) };
}
