import type { Alert, Told } from '../../lib/alerts/alert';
import { openCombo, stepCombo, type Combo } from '../../lib/alerts/combo';
import type { Active } from '../../lib/alerts/episode';
import type { Evidence } from '../../lib/alerts/evidence';
import type { KeptMemory } from '../../lib/alerts/memorySchema';
import { isTechnical, parameters, type Parameter } from '../../lib/alerts/parameters';
import { isInComfortCare, isInStandby } from '../../lib/alerts/pauses';
import { ruleVersion } from '../../lib/alerts/ruleVersion';
import {
  judgeMissed,
  openSpotCheck,
  spotCheckAt,
  spotToKeep,
  takeReading,
  type Reading,
  type SpotCheck,
  type SpotFold,
  type SpotSetting,
} from '../../lib/alerts/spotCheck';
import { spotLimits, spotParameters, type SpotParameter } from '../../lib/alerts/spotRules';
import { judgeSignals, type Signal } from '../../lib/alerts/technicalRules';
import { trackNames, tracks, type TrackName } from '../../lib/alerts/tracks';
import {
  beginTracksAnew,
  evidenceOf,
  openWatch,
  plansOf,
  takeSample,
  tellHeld,
  watchToKeep,
  type ParameterEvent,
  type Plans,
  type Watch,
  type WatchedSample,
} from '../../lib/alerts/watch';
import { toKeep } from '../../lib/alerts/track';
import { newestEntries } from '../../lib/alerts/window';
import { hasSignal, kinds, vitalKinds, type VitalKind } from '../../lib/vitals/kinds';
import type { News2 } from '../../lib/vitals/news2Schema';
import { roundVital } from '../../lib/vitals/roundVital';
import type { PatientRow } from '../db/rows';
import type { Holding } from './holding';
import { closeAll, noSamples, escalateAll, tell, tellActive, tellEpisode, type Subject, type Telling } from './subject';

/** Where the rules stand with a patient. Immutable. */
export interface PatientWatch extends Subject {
  patientId: number;
  /** As the plans were made by. */
  row: PatientRow;
  holding: Holding;
  /** How often each kind is expected, as the plans were made by, in milliseconds. */
  every: Readonly<Partial<Record<VitalKind, number>>>;
  judgesTrends: boolean;
  isComfortCare: boolean;
  plans: Plans;
  /** Of a patient on continuous monitoring. Its alerts are those of `records`. */
  watch: Watch;
  /** Of a patient at home. */
  spots: Readonly<Partial<Record<SpotParameter, SpotCheck>>>;
  combo: Combo;
  /** Signals that were heard before are not missed: their device was taken off. Epoch milliseconds. */
  signalsFrom: number;
  /** From when on streams and readings were begun anew, epoch milliseconds. */
  begunAt: KeptMemory['begunAt'];
}

/** A patient of whom the rules know nothing yet. `now` is epoch milliseconds. */
export function openPatientWatch(
  row: PatientRow,
  holding: Holding,
  pace: Pick<PatientWatch, 'every' | 'judgesTrends'>,
  now: number,
): PatientWatch {
  const setting = { row, holding, ...pace, isComfortCare: isInComfortCare(holding.comfortCare, now) };
  const plans = makePlans(setting);
  const patient: PatientWatch = {
    ...setting,
    siteId: row.site_id,
    patientId: row.id,
    deviceId: null,
    profile: row.profile,
    records: {},
    technical: {},
    kept: [],
    plans,
    watch: openWatch(plans),
    spots: {},
    combo: openCombo,
    signalsFrom: 0,
    begunAt: {},
  };
  return { ...patient, kept: partsOf(patient) };
}

type Setting = Pick<PatientWatch, 'row' | 'holding' | 'every' | 'judgesTrends' | 'isComfortCare'>;

function makePlans({ row, holding, every, judgesTrends, isComfortCare }: Setting): Plans {
  return plansOf({
    scale: row.spo2_scale,
    limits: holding.limits,
    bounds: holding.bounds,
    isComfortCare,
    expectedEveryMs: (kind) => every[kind] ?? kinds[kind].expectedEveryMs,
    judgesTrends,
  });
}

/** The watch as it goes on by another setting. */
export function withSetting(patient: PatientWatch, change: Partial<Setting>): PatientWatch {
  const setting = { ...patient, ...change };
  return { ...setting, profile: setting.row.profile, plans: makePlans(setting) };
}

/**
 * The watch of a patient whose row was changed. Who goes home, or comes back, is judged anew by other rules, so that
 * nothing would end what was told by those of before: it is closed. What they said of themselves stands.
 */
export function withRow(patient: PatientWatch, row: PatientRow, telling: Telling): PatientWatch {
  if (row.profile === patient.profile) {
    return withSetting(patient, { row });
  }
  const { symptoms } = patient.technical;
  const judgedOtherwise = parameters.filter((parameter) => parameter !== 'symptoms');
  const closed = closeAll(patient, judgedOtherwise, row.profile === 'home' ? 'went home' : 'came to the ward', telling);
  const anew = beginAnew(closed, telling.now);
  return withSetting({ ...anew, technical: symptoms === undefined ? {} : { symptoms } }, { row });
}

/** Nothing that was judged until now counts any more, and nothing that was heard is missed. */
function beginAnew(patient: PatientWatch, now: number): PatientWatch {
  return withAlerts({
    ...patient,
    watch: beginTracksAnew(patient.watch, patient.plans, trackNames, now),
    spots: {},
    technical: {},
    combo: openCombo,
    signalsFrom: now,
    begunAt: { oxygenation: now, rate: now, perfusion: now, readings: now },
  });
}

export const spotPlaces: Partial<Record<VitalKind, { parameter: SpotParameter; source: number }>> = {
  spo2: { parameter: 'spo2', source: 0 },
  heartRate: { parameter: 'rate', source: 0 },
  pulseRate: { parameter: 'rate', source: 1 },
  respiratoryRate: { parameter: 'respiratoryRate', source: 0 },
  temperature: { parameter: 'temperature', source: 0 },
  weight: { parameter: 'weight', source: 0 },
};

/**
 * Takes samples that came at `telling.now`, in the order of the call, and returns the watch after them: the same one
 * where they say nothing about the rules.
 */
export function watchSamples(patient: PatientWatch, samples: readonly WatchedSample[], telling: Telling): PatientWatch {
  if (patient.profile === 'home') {
    return samples.reduce((after, sample) => watchReading(after, sample, telling), patient);
  }
  const held = { isHeld: isHeld(patient, telling.now) };
  let after = patient;
  let { watch } = patient;
  for (const sample of samples) {
    const told = takeSample(watch, patient.plans, sample, telling.now, held);
    ({ watch } = told);
    // Most values tell nothing: a patient is copied once a call.
    if (watch.alerts !== after.watch.alerts) {
      after = adopt(after, watch, told.events, telling);
      ({ watch } = after);
    }
  }
  return watch === after.watch ? after : withWatch(after, watch);
}

/** Written out, because every sample comes this way and a spread of so many fields costs as much as judging it. */
function withWatch(patient: PatientWatch, watch: Watch): PatientWatch {
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
    judgesTrends: patient.judgesTrends,
    isComfortCare: patient.isComfortCare,
    plans: patient.plans,
    watch,
    spots: patient.spots,
    combo: patient.combo,
    signalsFrom: patient.signalsFrom,
    begunAt: patient.begunAt,
  };
}

/** A sample of a patient at home as the reading that it is; null where it measured nothing that is judged there. */
export function readingOf({
  kind,
  value,
  quality,
  measuredAt,
  deviceId,
}: WatchedSample): { parameter: SpotParameter; reading: Reading } | null {
  const place = spotPlaces[kind];
  if (place === undefined || quality === 'invalid' || !hasSignal(kind, value)) {
    return null;
  }
  const { parameter, source } = place;
  return { parameter, reading: { at: measuredAt, source, deviceId, value: roundVital(kind, value) } };
}

function watchReading(patient: PatientWatch, sample: WatchedSample, telling: Telling): PatientWatch {
  const placed = readingOf(sample);
  if (placed === null) {
    return patient;
  }
  const { parameter, reading } = placed;
  const check = patient.spots[parameter] ?? openSpotCheck();
  const after = takeReading(check, spotSetting(patient, parameter), reading, telling.now);
  return after === check
    ? patient
    : judgeSpot({ ...patient, spots: { ...patient.spots, [parameter]: after } }, parameter, telling);
}

const isHeld = ({ holding }: PatientWatch, now: number): boolean => isInStandby(holding.standby, now);

export const spotSetting = ({ row }: Pick<PatientWatch, 'row'>, parameter: SpotParameter): SpotSetting => ({
  parameter,
  scale: row.spo2_scale,
  baseline: null,
});

function judgeSpot(patient: PatientWatch, parameter: SpotParameter, telling: Telling): PatientWatch {
  const check = patient.spots[parameter];
  if (check === undefined) {
    return patient;
  }
  const { episode, priority } = spotCheckAt(check, spotSetting(patient, parameter), telling.now);
  const limits = spotLimits(parameter, patient.row.spo2_scale, priority);
  const after = tellEpisode(
    patient,
    parameter,
    episode,
    {
      isHeld: isHeld(patient, telling.now),
      evidence: () => ({ ruleVersion, limits, samples: readingsOf(check, parameter) }),
    },
    telling,
  );
  return after === patient ? patient : withAlerts(after);
}

/** How many readings an alert keeps as what it was raised by. */
const readingsKept = 10;

function readingsOf(check: SpotCheck, parameter: SpotParameter): Evidence['samples'] {
  return newestEntries(check, readingsKept).flatMap(({ at, source, deviceId, value }) => {
    const [kind] = vitalKinds.filter(
      (known) => spotPlaces[known]?.parameter === parameter && spotPlaces[known].source === source,
    );
    return kind === undefined ? [] : [{ kind, value, measuredAt: at, deviceId, isDoubtful: false }];
  });
}

/** Takes over what a watch tells: each alert that changed is kept with what it rests on. */
function adopt(patient: PatientWatch, watch: Watch, events: readonly ParameterEvent[], telling: Telling): PatientWatch {
  let after: PatientWatch = { ...patient, watch };
  for (const [parameter, alert] of Object.entries(watch.alerts)) {
    if (alert !== patient.watch.alerts[alert.parameter]) {
      const told = { alert, events: events.filter((one) => one.parameter === parameter).map(({ event }) => event) };
      after = tell(
        after,
        alert.parameter,
        told,
        () => evidenceOf(watch, patient.plans, alert.parameter, alert.rule),
        telling,
      );
    }
  }
  return withAlerts(after);
}

/** The rules go on from the alerts as they are kept: an act of a person, or the clock, may have changed them. */
function withAlerts(patient: PatientWatch): PatientWatch {
  const alerts: Partial<Record<Parameter, Alert>> = {};
  for (const { alert } of Object.values(patient.records)) {
    alerts[alert.parameter] = alert;
  }
  return { ...patient, watch: { ...patient.watch, alerts } };
}

/**
 * Tells what was not told when it became so and still is: in a standby, or before the site's rules were on. The rules
 * say each thing once, so nothing else would tell it any more.
 */
function tellWhatWasHeld(patient: PatientWatch, telling: Telling): PatientWatch {
  let after = patient;
  if (after.profile === 'continuous') {
    const { watch, events } = tellHeld(after.watch, after.plans, telling.now);
    after = watch === after.watch ? after : adopt(after, watch, events, telling);
  }
  after = tellEpisode(
    after,
    'symptoms',
    after.technical.symptoms ?? null,
    { isHeld: false, evidence: noSamples },
    telling,
  );
  return after.records === patient.records ? after : withAlerts(after);
}

/** What the clock needs to know of a patient beside the watch. Epoch milliseconds. */
export interface Heard {
  signals: readonly Signal[];
  /** Their gateway is silent, which is told instead, or will be. */
  isGatewaySilent: boolean;
  isContinuousRequired: boolean;
  /** When the newest reading of any kind was taken; where there is none yet, since when the patient is known. */
  lastReadingAt: number;
  readingsEveryMs: number;
  /** Null: not to be judged this time. */
  news2: News2 | null;
  /** From when on silence counts: the server itself was not there before. */
  listeningSince: number;
}

/**
 * What is due with time alone: the end of a standby, silence, second readings that did not come, escalation and
 * reminders.
 */
export function watchClock(given: PatientWatch, heard: Heard, telling: Telling): PatientWatch {
  const { now } = telling;
  let patient = given;
  if (!isHeld(patient, now)) {
    patient = tellWhatWasHeld(patient, telling);
  }
  const isComfortCare = isInComfortCare(patient.holding.comfortCare, now);
  if (isComfortCare !== patient.isComfortCare) {
    patient = withSetting(patient, { isComfortCare });
  }
  patient =
    patient.profile === 'continuous' ? watchSignals(patient, heard, telling) : watchReadings(patient, heard, telling);
  patient = escalateAll(patient, telling);
  return patient.records === given.records ? patient : withAlerts(patient);
}

function watchSignals(patient: PatientWatch, heard: Heard, telling: Telling): PatientWatch {
  const { now } = telling;
  const held = { isHeld: isHeld(patient, now) };
  let after = patient;
  if (!heard.isGatewaySilent) {
    const counted = heard.signals
      .filter(({ heardAt }) => heardAt >= patient.signalsFrom)
      .map((signal) => sinceListening(signal, patient, heard.listeningSince));
    const { reporting, sensor } = judgeSignals(counted, now, { isContinuousRequired: heard.isContinuousRequired });
    after = tellActive(after, 'reporting', reporting, held, telling);
    after = tellActive(after, 'sensor', sensor, held, telling);
  }
  if (heard.news2 !== null) {
    const combo = stepCombo(after.combo, heard.news2, now);
    after = combo === after.combo ? after : { ...after, combo };
    // Also while nothing changes: a standby may have held it back.
    after = tellEpisode(after, 'news2', combo.episode, { ...held, evidence: noSamples }, telling);
  }
  return after;
}

/** While the server was away nobody could be heard; what was silent before goes on being so. */
function sinceListening(signal: Signal, { technical }: PatientWatch, since: number): Signal {
  const isSilent = [technical.reporting, technical.sensor].some(
    (episode) => episode !== undefined && episode.endedAt === null,
  );
  return isSilent
    ? signal
    : { ...signal, validAt: Math.max(signal.validAt, since), heardAt: Math.max(signal.heardAt, since) };
}

function watchReadings(patient: PatientWatch, heard: Heard, telling: Telling): PatientWatch {
  let after = patient;
  for (const parameter of spotParameters) {
    after = judgeSpot(after, parameter, telling);
  }
  const missed = judgeMissed(
    Math.max(heard.lastReadingAt, patient.begunAt.readings ?? 0),
    heard.readingsEveryMs,
    telling.now,
  );
  return tellActive(
    after,
    'readings',
    missed === null ? [] : [missed],
    { isHeld: isHeld(patient, telling.now) },
    telling,
  );
}

/** Takes what the symptoms that a patient reported last come to, null: nothing that is told. */
export function watchSymptoms(patient: PatientWatch, active: Active | null, telling: Telling): PatientWatch {
  const after = tellActive(
    patient,
    'symptoms',
    active === null ? [] : [active],
    { isHeld: isHeld(patient, telling.now) },
    telling,
  );
  return after.records === patient.records ? after : withAlerts(after);
}

/** Keeps what somebody did with an alert of the patient. */
export function tellPatient(patient: PatientWatch, parameter: Parameter, told: Told, telling: Telling): PatientWatch {
  const evidence = (): Evidence => patient.records[parameter]?.evidence ?? noSamples();
  return withAlerts(tell(patient, parameter, told, evidence, telling));
}

/**
 * The patient has left: nothing is told of them any more, and should they come back, also by mistake, they are judged
 * anew.
 */
export function closePatient(patient: PatientWatch, reason: string, telling: Telling): PatientWatch {
  return beginAnew(closeAll(patient, parameters, reason, telling), telling.now);
}

/**
 * A device was taken off the patient on purpose: what it sent is not missed. `left` are the streams that nothing else
 * measures: no value would end their alerts any more, so they are closed with those of the equipment, and judged anew
 * (clinical.md section 4).
 */
export function forgetSignals(given: PatientWatch, left: readonly TrackName[], telling: Telling): PatientWatch {
  const { combo } = given;
  const isScoreLeft = (combo.withSpo2 && left.includes('oxygenation')) || (combo.withRate && left.includes('rate'));
  const ofStreams = left.flatMap((name) => tracks[name].groups.map(({ parameter }): Parameter => parameter));
  const closed = closeAll(
    given,
    [...ofStreams, ...(isScoreLeft ? (['news2'] as const) : [])],
    'device taken off',
    telling,
  );
  const patient: PatientWatch = {
    ...closed,
    watch: beginTracksAnew(closed.watch, closed.plans, left, telling.now),
    combo: isScoreLeft ? openCombo : combo,
    begunAt: { ...closed.begunAt, ...Object.fromEntries(left.map((name) => [name, telling.now])) },
  };
  const equipment = parameters.filter(isTechnical);
  const technical = Object.fromEntries(
    Object.entries(patient.technical).filter(([parameter]) => !equipment.some((one) => one === parameter)),
  );
  return {
    ...withAlerts(closeAll(patient, equipment, 'device taken off', telling)),
    technical,
    signalsFrom: telling.now,
  };
}

/** What the store keeps of a patient, besides the alerts. */
export function memoryOf(patient: PatientWatch): KeptMemory {
  return {
    tracks: watchToKeep(patient.watch),
    spot: spotsToKeep(patient),
    technical: patient.technical,
    combo: patient.combo,
    signalsFrom: patient.signalsFrom,
    begunAt: patient.begunAt,
  };
}

/**
 * The same in parts, which are the same objects as long as nothing of them changed. Asked with every call of a device.
 */
export function partsOf({ profile, watch, spots, technical, combo, signalsFrom, begunAt }: PatientWatch): unknown[] {
  const parts: unknown[] = [
    toKeep(watch.oxygenation),
    toKeep(watch.rate),
    toKeep(watch.perfusion),
    technical,
    combo,
    signalsFrom,
    begunAt,
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

function spotsToKeep({ spots }: PatientWatch): Partial<Record<SpotParameter, SpotFold>> {
  const kept: Partial<Record<SpotParameter, SpotFold>> = {};
  for (const parameter of spotParameters) {
    const check = spots[parameter];
    if (check !== undefined) {
      kept[parameter] = spotToKeep(check);
    }
  }
  return kept;
}
