import type { Alert, AlertChange } from '../../lib/alerts/alert';
import { idleNews2Aggregate, stepNews2Aggregate, type News2Aggregate } from '../../lib/alerts/news2Aggregate';
import type { Active } from '../../lib/alerts/episode';
import type { Evidence } from '../../lib/alerts/evidence';
import type { StoredRuleState } from '../../lib/alerts/storedRuleState';
import { isTechnical, parameters, type Parameter } from '../../lib/alerts/parameters';
import { isInComfortCare, isInStandby } from '../../lib/alerts/pauses';
import { ruleVersion } from '../../lib/alerts/ruleVersion';
import {
  evaluateMissedReadings,
  createSpotCheck,
  spotCheckAt,
  spotToKeep,
  takeReading,
  type Reading,
  type SpotCheck,
  type SpotFold,
  type SpotSetting,
} from '../../lib/alerts/spotCheck';
import { spotLimits, spotParameters, type SpotParameter } from '../../lib/alerts/spotRules';
import { evaluateSignals, type Signal } from '../../lib/alerts/technicalRules';
import { streamNames, streams, type StreamName } from '../../lib/alerts/streams';
import {
  resetStreams,
  evidenceOf,
  createRuleState,
  plansOf,
  evaluateSample,
  raiseHeld,
  streamStatesToKeep,
  type ParameterEvent,
  type Plans,
  type RuleState,
  type RuleSample,
} from '../../lib/alerts/ruleState';
import { toKeep } from '../../lib/alerts/stream';
import { newestEntries } from '../../lib/alerts/window';
import type { EpochMs } from '../../lib/time/epochMs';
import { hasSignal, kinds, vitalKinds, type VitalKind } from '../../lib/vitals/kinds';
import type { News2 } from '../../lib/vitals/news2Schema';
import { roundVital } from '../../lib/vitals/roundVital';
import type { PatientRow } from '../db/rows';
import type { Holding } from './holding';
import {
  closeAll,
  noSamples,
  escalateAll,
  applyChange,
  applyActive,
  applyEpisode,
  type Subject,
  type ChangeContext,
} from './subject';

/** The rules' state for a patient. Immutable. */
export interface PatientRuleState extends Subject {
  patientId: number;
  /** The row that the plans were made from. */
  row: PatientRow;
  holding: Holding;
  /** How often each kind is expected, in milliseconds, as the plans were made. */
  every: Readonly<Partial<Record<VitalKind, number>>>;
  evaluatesTrends: boolean;
  isComfortCare: boolean;
  plans: Plans;
  /** For continuous monitoring. Its alerts are those of `records`. */
  ruleState: RuleState;
  /** For a patient at home. */
  spots: Readonly<Partial<Record<SpotParameter, SpotCheck>>>;
  news2Aggregate: News2Aggregate;
  /** Signals that were last seen before this are not missed: their device was taken off. Epoch milliseconds. */
  signalsFrom: EpochMs;
  /** When streams and readings were last reset, epoch milliseconds. */
  resetAt: StoredRuleState['resetAt'];
}

/** Returns the state of a patient before any sample. `now` is epoch milliseconds. */
export function createPatientRuleState(
  row: PatientRow,
  holding: Holding,
  pace: Pick<PatientRuleState, 'every' | 'evaluatesTrends'>,
  now: EpochMs,
): PatientRuleState {
  const setting = { row, holding, ...pace, isComfortCare: isInComfortCare(holding.comfortCare, now) };
  const plans = makePlans(setting);
  const patient: PatientRuleState = {
    ...setting,
    siteId: row.site_id,
    patientId: row.id,
    deviceId: null,
    profile: row.profile,
    records: {},
    technical: {},
    kept: [],
    plans,
    ruleState: createRuleState(plans),
    spots: {},
    news2Aggregate: idleNews2Aggregate,
    signalsFrom: 0,
    resetAt: {},
  };
  return { ...patient, kept: partsOf(patient) };
}

type Setting = Pick<PatientRuleState, 'row' | 'holding' | 'every' | 'evaluatesTrends' | 'isComfortCare'>;

function makePlans({ row, holding, every, evaluatesTrends, isComfortCare }: Setting): Plans {
  return plansOf({
    scale: row.spo2_scale,
    limits: holding.limits,
    bounds: holding.bounds,
    isComfortCare,
    expectedEveryMs: (kind) => every[kind] ?? kinds[kind].expectedEveryMs,
    evaluatesTrends,
  });
}

/** Returns the state with changed settings. */
export function withSetting(patient: PatientRuleState, change: Partial<Setting>): PatientRuleState {
  const setting = { ...patient, ...change };
  return { ...setting, profile: setting.row.profile, plans: makePlans(setting) };
}

/**
 * Returns the state after the patient's row changed. Other rules apply at home than on the ward, and they would not end
 * former conditions: these are closed and the rules are reset. Reported symptoms stay.
 */
export function withRow(patient: PatientRuleState, row: PatientRow, context: ChangeContext): PatientRuleState {
  if (row.profile === patient.profile) {
    return withSetting(patient, { row });
  }
  const { symptoms } = patient.technical;
  const judgedOtherwise = parameters.filter((parameter) => parameter !== 'symptoms');
  const closed = closeAll(patient, judgedOtherwise, row.profile === 'home' ? 'went home' : 'came to the ward', context);
  const reset = resetRules(closed, context.now);
  return withSetting({ ...reset, technical: symptoms === undefined ? {} : { symptoms } }, { row });
}

/** Resets all rules: earlier values do not count any more, and no earlier signal is missed. */
function resetRules(patient: PatientRuleState, now: EpochMs): PatientRuleState {
  return withAlerts({
    ...patient,
    ruleState: resetStreams(patient.ruleState, patient.plans, streamNames, now),
    spots: {},
    technical: {},
    news2Aggregate: idleNews2Aggregate,
    signalsFrom: now,
    resetAt: { oxygenation: now, rate: now, perfusion: now, readings: now } satisfies Required<
      PatientRuleState['resetAt']
    >,
  });
}

export const spotSources: Partial<Record<VitalKind, { parameter: SpotParameter; source: number }>> = {
  spo2: { parameter: 'spo2', source: 0 },
  heartRate: { parameter: 'rate', source: 0 },
  pulseRate: { parameter: 'rate', source: 1 },
  respiratoryRate: { parameter: 'respiratoryRate', source: 0 },
  temperature: { parameter: 'temperature', source: 0 },
  weight: { parameter: 'weight', source: 0 },
};

/**
 * Takes samples that arrived at `context.now`, in the order of the call, and returns the state after them: the same one
 * if they change nothing.
 */
export function evaluateSamples(
  patient: PatientRuleState,
  samples: readonly RuleSample[],
  context: ChangeContext,
): PatientRuleState {
  if (patient.profile === 'home') {
    return samples.reduce((after, sample) => evaluateReading(after, sample, context), patient);
  }
  const held = { isHeld: isHeld(patient, context.now) };
  let after = patient;
  let { ruleState } = patient;
  for (const sample of samples) {
    const change = evaluateSample(ruleState, patient.plans, sample, context.now, held);
    ({ ruleState } = change);
    // Most values change no alert, so a patient is copied once a call.
    if (ruleState.alerts !== after.ruleState.alerts) {
      after = applyRuleState(after, ruleState, change.events, context);
      ({ ruleState } = after);
    }
  }
  return ruleState === after.ruleState ? after : withRuleState(after, ruleState);
}

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
    plans: patient.plans,
    ruleState,
    spots: patient.spots,
    news2Aggregate: patient.news2Aggregate,
    signalsFrom: patient.signalsFrom,
    resetAt: patient.resetAt,
  };
}

/** Returns the reading that a sample of a patient at home is; null if no rule evaluates it there. */
export function readingOf({
  kind,
  value,
  quality,
  measuredAt,
  deviceId,
}: RuleSample): { parameter: SpotParameter; reading: Reading } | null {
  const position = spotSources[kind];
  if (position === undefined || quality === 'invalid' || !hasSignal(kind, value)) {
    return null;
  }
  const { parameter, source } = position;
  return { parameter, reading: { at: measuredAt, source, deviceId, value: roundVital(kind, value) } };
}

function evaluateReading(patient: PatientRuleState, sample: RuleSample, context: ChangeContext): PatientRuleState {
  const placed = readingOf(sample);
  if (placed === null) {
    return patient;
  }
  const { parameter, reading } = placed;
  const check = patient.spots[parameter] ?? createSpotCheck();
  const after = takeReading(check, spotSetting(patient, parameter), reading, context.now);
  return after === check
    ? patient
    : applyReadings({ ...patient, spots: { ...patient.spots, [parameter]: after } }, parameter, context);
}

const isHeld = ({ holding }: PatientRuleState, now: EpochMs): boolean => isInStandby(holding.standby, now);

export const spotSetting = ({ row }: Pick<PatientRuleState, 'row'>, parameter: SpotParameter): SpotSetting => ({
  parameter,
  scale: row.spo2_scale,
  baseline: null,
});

function applyReadings(patient: PatientRuleState, parameter: SpotParameter, context: ChangeContext): PatientRuleState {
  const check = patient.spots[parameter];
  if (check === undefined) {
    return patient;
  }
  const { episode, priority } = spotCheckAt(check, spotSetting(patient, parameter), context.now);
  const limits = spotLimits(parameter, patient.row.spo2_scale, priority);
  const after = applyEpisode(
    patient,
    parameter,
    episode,
    {
      isHeld: isHeld(patient, context.now),
      evidence: () => ({ ruleVersion, limits, samples: readingsOf(check, parameter) }),
    },
    context,
  );
  return after === patient ? patient : withAlerts(after);
}

/** How many readings an alert keeps as evidence. */
const readingsKept = 10;

function readingsOf(check: SpotCheck, parameter: SpotParameter): Evidence['samples'] {
  return newestEntries(check, readingsKept).flatMap(({ at, source, deviceId, value }) => {
    const [kind] = vitalKinds.filter(
      (known) => spotSources[known]?.parameter === parameter && spotSources[known].source === source,
    );
    return kind === undefined ? [] : [{ kind, value, measuredAt: at, deviceId, isDoubtful: false }];
  });
}

/** Takes over a rule state: each changed alert is written with its evidence. */
function applyRuleState(
  patient: PatientRuleState,
  ruleState: RuleState,
  events: readonly ParameterEvent[],
  context: ChangeContext,
): PatientRuleState {
  let after: PatientRuleState = { ...patient, ruleState };
  for (const [parameter, alert] of Object.entries(ruleState.alerts)) {
    if (alert !== patient.ruleState.alerts[alert.parameter]) {
      const change = { alert, events: events.filter((one) => one.parameter === parameter).map(({ event }) => event) };
      after = applyChange(
        after,
        alert.parameter,
        change,
        () => evidenceOf(ruleState, patient.plans, alert.parameter, alert.rule),
        context,
      );
    }
  }
  return withAlerts(after);
}

/** The rules continue from the stored alerts, which a user's action or the clock may have changed. */
function withAlerts(patient: PatientRuleState): PatientRuleState {
  const alerts: Partial<Record<Parameter, Alert>> = {};
  for (const { alert } of Object.values(patient.records)) {
    alerts[alert.parameter] = alert;
  }
  return { ...patient, ruleState: { ...patient.ruleState, alerts } };
}

/**
 * Raises what a standby, or a site without rules, held back and what still applies. The rules report each condition
 * once, so nothing else would raise it.
 */
function raiseWhatWasHeld(patient: PatientRuleState, context: ChangeContext): PatientRuleState {
  let after = patient;
  if (after.profile === 'continuous') {
    const { ruleState, events } = raiseHeld(after.ruleState, after.plans, context.now);
    after = ruleState === after.ruleState ? after : applyRuleState(after, ruleState, events, context);
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

/** What a tick needs to know of a patient beside the rule state. Epoch milliseconds. */
export interface ClockFacts {
  signals: readonly Signal[];
  /** Their gateway is silent: its own alert is raised instead. */
  isGatewaySilent: boolean;
  isContinuousRequired: boolean;
  /** When the newest reading of any kind was taken, or since when the patient is known. */
  lastReadingAt: EpochMs;
  readingsEveryMs: number;
  /** Null: not evaluated in this tick. */
  news2: News2 | null;
  /** Silence counts from here on: the server was not running before. */
  listeningSince: EpochMs;
}

/**
 * Evaluates what depends on time alone: the end of a standby, silence, second readings that did not arrive, escalation
 * and reminders.
 */
export function evaluateClock(given: PatientRuleState, facts: ClockFacts, context: ChangeContext): PatientRuleState {
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

function evaluateMonitored(patient: PatientRuleState, facts: ClockFacts, context: ChangeContext): PatientRuleState {
  const { now } = context;
  const held = { isHeld: isHeld(patient, now) };
  let after = patient;
  if (!facts.isGatewaySilent) {
    const counted = facts.signals
      .filter(({ lastSeenAt }) => lastSeenAt >= patient.signalsFrom)
      .map((signal) => sinceListening(signal, patient, facts.listeningSince));
    const { reporting, sensor } = evaluateSignals(counted, now, { isContinuousRequired: facts.isContinuousRequired });
    after = applyActive(after, 'reporting', reporting, held, context);
    after = applyActive(after, 'sensor', sensor, held, context);
  }
  if (facts.news2 !== null) {
    const news2Aggregate = stepNews2Aggregate(after.news2Aggregate, facts.news2, now);
    after = news2Aggregate === after.news2Aggregate ? after : { ...after, news2Aggregate };
    // Also if nothing changes: a standby may have held it back.
    after = applyEpisode(after, 'news2', news2Aggregate.episode, { ...held, evidence: noSamples }, context);
  }
  return after;
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

function evaluateHome(patient: PatientRuleState, facts: ClockFacts, context: ChangeContext): PatientRuleState {
  let after = patient;
  for (const parameter of spotParameters) {
    after = applyReadings(after, parameter, context);
  }
  const missed = evaluateMissedReadings(
    Math.max(facts.lastReadingAt, patient.resetAt.readings ?? 0),
    facts.readingsEveryMs,
    context.now,
  );
  return applyActive(
    after,
    'readings',
    missed === null ? [] : [missed],
    { isHeld: isHeld(patient, context.now) },
    context,
  );
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

/** Takes over a user's change of one of the patient's alerts. */
export function applyToPatient(
  patient: PatientRuleState,
  parameter: Parameter,
  change: AlertChange,
  context: ChangeContext,
): PatientRuleState {
  const evidence = (): Evidence => patient.records[parameter]?.evidence ?? noSamples();
  return withAlerts(applyChange(patient, parameter, change, evidence, context));
}

/** Closes all alerts of a patient who has left and resets the rules, also for a discharge by mistake. */
export function closePatient(patient: PatientRuleState, reason: string, context: ChangeContext): PatientRuleState {
  return resetRules(closeAll(patient, parameters, reason, context), context.now);
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
  const { news2Aggregate } = given;
  const isScoreLeft =
    (news2Aggregate.withSpo2 && left.includes('oxygenation')) || (news2Aggregate.withRate && left.includes('rate'));
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
    news2Aggregate: isScoreLeft ? idleNews2Aggregate : news2Aggregate,
    resetAt: { ...closed.resetAt, ...Object.fromEntries(left.map((name) => [name, context.now])) },
  };
  const equipment = parameters.filter(isTechnical);
  const technical = Object.fromEntries(
    Object.entries(patient.technical).filter(([parameter]) => !equipment.some((one) => one === parameter)),
  );
  return {
    ...withAlerts(closeAll(patient, equipment, 'device taken off', context)),
    technical,
    signalsFrom: context.now,
  };
}

/** Returns what the store keeps of a patient beside the alerts. */
export function storedRuleStateOf(patient: PatientRuleState): StoredRuleState {
  return {
    streams: streamStatesToKeep(patient.ruleState),
    spot: spotsToKeep(patient),
    technical: patient.technical,
    news2Aggregate: patient.news2Aggregate,
    signalsFrom: patient.signalsFrom,
    resetAt: patient.resetAt,
  };
}

/** Returns the same in parts, each the same object until it changes. Runs with every call of a device. */
export function partsOf({
  profile,
  ruleState,
  spots,
  technical,
  news2Aggregate,
  signalsFrom,
  resetAt,
}: PatientRuleState): unknown[] {
  const parts: unknown[] = [
    toKeep(ruleState.oxygenation),
    toKeep(ruleState.rate),
    toKeep(ruleState.perfusion),
    technical,
    news2Aggregate,
    signalsFrom,
    resetAt,
  ];
  if (profile === 'home') {
    for (const parameter of spotParameters) {
      const check = spots[parameter];
      if (check !== undefined) {
        parts.push(spotToKeep(check));
      }
    }
  }
  return parts;
}

function spotsToKeep({ spots }: PatientRuleState): Partial<Record<SpotParameter, SpotFold>> {
  const kept: Partial<Record<SpotParameter, SpotFold>> = {};
  for (const parameter of spotParameters) {
    const check = spots[parameter];
    if (check !== undefined) {
      kept[parameter] = spotToKeep(check);
    }
  }
  return kept;
}
