import { monitorRefusals, type MonitorRefusal } from '../../lib/alerts/technicalRules';
import type { HeardAlarm, TimedAlarm } from '../../lib/deviceAlarms/heardAlarm';
import { codeText, type Code } from '../../lib/hl7/codes';
import { inopOf, type Inop } from '../../lib/hl7/inops';
import { isAlarmCode } from '../../lib/hl7/readAlarms';
import { saidAt, type Observation, type OruResult } from '../../lib/hl7/readOru';
import { readValue } from '../../lib/hl7/readValue';
import { meaningBy, type Meaning } from '../../lib/hl7/senderSettings';
import { remember } from '../../lib/remember';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import { kinds, noRate, noSignalValue, type VitalKind } from '../../lib/vitals/kinds';
import type { Quality } from '../../lib/vitals/schema';
import type { PatientRow } from '../db/rows';
import type { Refused } from '../ingest/record';
import type { SampleKey } from '../vitals/sample';
import { isOfOtherAuthority, matchPatient, type Match, type Ward } from './matchPatient';
import { keyTest, monitorOf, sourceOf, wholeSource, type Source } from './sourceOf';

/** What a message brings from one source. */
export interface SourceValues {
  source: Source;
  monitor: MonitorValues;
  /** In the form in which devices send them to the other door. */
  samples: { patientId: number; kind: VitalKind; value: number; takenAt: string; quality: Quality }[];
  refused: Refused[];
  withdrawn: ValueKey[];
  /** Those of `samples` that replace what was sent for their time (OBX-11 C). */
  replacing: ValueKey[];
}

type ValueKey = Pick<SampleKey, 'patientId' | 'kind' | 'takenAt'>;

/** What becomes of what a message brings from one monitor. */
export interface MonitorValues {
  source: Source;
  /** One row for each patient whom we do not have there, and for each demonstration. */
  refused: Refused[];
  /** Why values of it are no patient's; null: none is refused for a reason that somebody at the monitor has to know. */
  reason: MonitorRefusal | null;
  /** Whether some are a patient's. */
  isTaken: boolean;
  /** The times of those that are a patient's. */
  takenAt: EpochMs[];
}

/** What a message says of the alarms of one monitor about one patient. Times are those of the device. */
export interface AlarmsOfMonitor {
  source: Source;
  patientId: number;
  alarms: TimedAlarm[];
  /** The time of what else it says of the patient; null: nothing. */
  fullAt: EpochMs | null;
}

/** What a message says of one patient, with the alarms in it. */
export interface PatientPart extends OruResult {
  alarms: readonly HeardAlarm[];
  /** The message reports alarms as events: numbers in it are theirs. */
  isAlarmReport: boolean;
}

const reasons: Partial<Record<Refused['code'], MonitorRefusal>> = {
  identity_conflict: 'identity',
  training: 'training',
  clock_wrong: 'clock',
};

export interface SortedValues {
  /** By `source.key`. */
  sources: Map<string, SourceValues>;
  /** By `source.key`; the sender itself is one. */
  monitors: Map<string, MonitorValues>;
  /** By monitor and patient. */
  alarms: Map<string, AlarmsOfMonitor>;
  /** One for each patient of the message and other reason for which values are no one's. */
  refused: Refused[];
  /** The beds that are not mapped, once for each patient of the message who is named by nothing else. */
  unknownBeds: string[];
  /** What came under codes that mean nothing here. */
  unmapped: Observation[];
  /** What came beside a text, or in a unit, about which two people have to be asked. */
  asked: Observation[];
  /** The keys of the sources that measure a patient now, by patient and kind. */
  measuring: Map<string, Set<string>>;
}

/** What decides whose a value of a sender is, and what it is. */
export interface ValueWard extends Ward {
  /** Returns what a code of the sender means by itself, or null. */
  meaningOf: (code: Code) => Meaning | null;
  /** Returns the sources of the sender that have measured a kind of a patient, and their newest sample. */
  sourcesOf: (patientId: number, kind: VitalKind) => { source: Source; takenAt: EpochMs; receivedAt: EpochMs }[];
}

/** A time further from ours is no clock that is a little wrong: it would be learnt, and old values be shown as new. */
export const furthestMs = 24 * 3_600_000;

/**
 * So many sources measure a kind of a patient within an hour. What each of them sends is compared with all others: a
 * sender whose sub-ids are counters would hold up everybody for seconds.
 */
const mostMeasuring = 20;
const measuringMs = 3_600_000;

/** A label is of one probe. A sender whose sub-ids are counters has sources without end. */
const mostProbes = 10;

/** A monitor has a few INOPs at once; each of a message is looked for among all sources of its sender. */
const mostInops = 50;

/**
 * Sorts what a message says of each patient by source, and alarms by monitor. Values that are clearly no one's, and
 * training (unless the sender is on trial), make one row of quarantine for each reason and no sample; one bad value
 * costs only itself.
 */
export function sortValues(results: readonly PatientPart[], receivedAt: EpochMs, ward: ValueWard): SortedValues {
  const sorted: SortedValues = {
    sources: new Map(),
    monitors: new Map(),
    alarms: new Map(),
    refused: [],
    unknownBeds: [],
    unmapped: [],
    asked: [],
    measuring: new Map(),
  };
  const inops: HeardInop[] = [];
  for (const result of results) {
    const refused = new Map<Refused['code'], Observation[]>();
    const matchAt = createMatcher(result, receivedAt, ward);
    const instantOf = remember(toInstant);
    const monitor = monitorIn(sorted, monitorOf(result));
    const bedMappingId = result.bed === null ? null : (ward.bedOf(result.bed)?.mappingId ?? null);
    const alarmsAt = newestOf(result.alarms.map(({ at }) => at));
    for (const observation of result.observations) {
      const isOfAlarm = result.isAlarmReport || isAlarmCode(observation.code);
      const match = matchAt((isOfAlarm ? alarmsAt : null) ?? observation.takenAt.at ?? receivedAt);
      if ('patient' in match) {
        if (!isOfAlarm) {
          noteFull(sorted, observation, { patient: match.patient, receivedAt, monitor });
          const { patient } = match;
          sortValue(sorted, observation, { patient, result, bedMappingId, receivedAt, monitor, ward, instantOf });
        }
      } else {
        refused.set(match.code, [...(refused.get(match.code) ?? []), observation]);
      }
    }
    for (const observation of result.isAlarmReport ? [] : result.observations) {
      const inop = inopOf(observation);
      const { at } = observation.takenAt;
      const match = inop === null || at === null ? null : matchAt(at);
      if (inop !== null && at !== null && match !== null && 'patient' in match && isNear(at, receivedAt)) {
        const place = observation.deviceId ?? result.bed ?? '';
        const byBed = result.patient.hasIdentifier ? null : bedMappingId;
        inops.push({ inop, at, patientId: match.patient.id, place, bedMappingId: byBed, monitor });
      }
    }
    const [unreadable] = result.isAlarmReport && result.alarms.length === 0 ? result.observations : [];
    if (unreadable !== undefined) {
      sorted.unmapped.push(unreadable);
    }
    for (const alarm of result.alarms) {
      const match = matchAt(alarm.at ?? receivedAt);
      if ('patient' in match) {
        // What began before this patient was there is theirs since it was said of them.
        const before = alarm.startedAt === null ? null : matchAt(alarm.startedAt);
        const isTheirs = before !== null && 'patient' in before && before.patient.id === match.patient.id;
        const own = isTheirs ? alarm : { ...alarm, startedAt: alarm.at };
        sortAlarm(sorted, own, { patient: match.patient, receivedAt, monitor });
      } else {
        refused.set(match.code, refused.get(match.code) ?? []);
      }
    }
    for (const [code, observations] of refused) {
      const isOther = code === 'identity_conflict' && isOfOtherAuthority(result.patient, ward);
      noteRefusal(monitor, isOther ? 'authority' : reasons[code]);
      const rows = reasons[code] === undefined ? sorted.refused : monitor.refused;
      rows.push({ code, sample: evidenceOf(result, observations, ward) });
    }
    if (refused.has('unknown_bed') && result.bed !== null) {
      sorted.unknownBeds.push(result.bed);
    }
  }
  endNoRates(sorted);
  // The newest first, so that a probe has no signal once in a message.
  for (const heard of inops.sort((a, b) => b.at - a.at).slice(0, mostInops)) {
    applyInop(sorted, heard, ward);
  }
  const isTaken = [...sorted.monitors.values()].some((monitor) => monitor.isTaken);
  monitorIn(sorted, wholeSource).isTaken ||= isTaken;
  return sorted;
}

const isNear = (at: EpochMs, receivedAt: EpochMs): boolean => Math.abs(receivedAt - at) <= furthestMs;

function monitorIn({ monitors }: SortedValues, source: Source): MonitorValues {
  const monitor = monitors.get(source.key) ?? { source, refused: [], reason: null, isTaken: false, takenAt: [] };
  monitors.set(source.key, monitor);
  return monitor;
}

/** Of several reasons the most serious counts. */
function noteRefusal(monitor: MonitorValues, refusal: MonitorRefusal | undefined): void {
  monitor.reason = monitorRefusals.find((reason) => reason === monitor.reason || reason === refusal) ?? null;
}

/** Most values of a message have one time, and with it one patient. */
function createMatcher(
  { patient, bed, isTraining }: OruResult,
  receivedAt: EpochMs,
  ward: Ward,
): (takenAt: EpochMs) => Match | { code: 'training' } {
  const isRefused = isTraining && !ward.isTrial;
  return remember((takenAt: EpochMs) =>
    isRefused ? { code: 'training' } : matchPatient(patient, bed, { takenAt, receivedAt }, ward),
  );
}

function alarmsIn({ alarms }: SortedValues, { source }: MonitorValues, { id }: PatientRow): AlarmsOfMonitor {
  const key = `${id} ${source.key}`;
  const ofMonitor = alarms.get(key) ?? { source, patientId: id, alarms: [], fullAt: null };
  alarms.set(key, ofMonitor);
  return ofMonitor;
}

function newestOf(times: readonly (EpochMs | null)[]): EpochMs | null {
  return times.reduce((newest, at) => (at === null || newest === null ? (at ?? newest) : Math.max(at, newest)), null);
}

/** Whatever else a message says of the patient, its alarm texts are all that last. */
function noteFull(
  sorted: SortedValues,
  observation: Observation,
  { patient, receivedAt, monitor }: Pick<Context, 'patient' | 'receivedAt' | 'monitor'>,
): void {
  const at = saidAt(observation);
  if (at !== null && isNear(at, receivedAt)) {
    const ofMonitor = alarmsIn(sorted, monitor, patient);
    ofMonitor.fullAt = Math.max(ofMonitor.fullAt ?? at, at);
  }
}

function sortAlarm(
  sorted: SortedValues,
  alarm: HeardAlarm,
  { patient, receivedAt, monitor }: Pick<Context, 'patient' | 'receivedAt' | 'monitor'>,
): void {
  const { at } = alarm;
  if (at !== null && isNear(at, receivedAt)) {
    const { alarms, fullAt } = alarmsIn(sorted, monitor, patient);
    // A text is said with the values beside it, whatever time its order has.
    const heardAt = alarm.isEvent ? at : Math.max(at, fullAt ?? at);
    alarms.push({ ...alarm, at: heardAt, startedAt: alarm.startedAt ?? at });
    return;
  }
  const code = at === null ? 'unparsable_time' : 'clock_wrong';
  monitor.refused.push({ code, sample: { mrn: patient.mrn, code: alarm.code, value: alarm.text } });
  noteRefusal(monitor, reasons[code]);
}

/** Returns what the code of a value means, or null (`meaningBy`). */
export const meaningOf = (observation: Observation, ward: ValueWard): Meaning | null =>
  meaningBy(ward.settings, observation, ward.meaningOf(observation.code));

interface Context {
  patient: PatientRow;
  result: PatientPart;
  /** The mapping of its bed; null: it has none. */
  bedMappingId: number | null;
  receivedAt: EpochMs;
  monitor: MonitorValues;
  ward: ValueWard;
  instantOf: (at: EpochMs) => string;
}

function sortValue(
  sorted: SortedValues,
  observation: Observation,
  { patient, result, bedMappingId, receivedAt, monitor, ward, instantOf }: Context,
): void {
  const meaning = meaningOf(observation, ward);
  const read = readValue(observation, {
    isTrainingTaken: ward.isTrial,
    lookUp: () => meaning,
    settings: ward.settings,
  });
  if (read.outcome === 'unmapped') {
    sorted.unmapped.push(observation);
    return;
  }
  if (read.outcome === 'containment') {
    return;
  }
  const codeMappingId = meaning?.mappingId ?? null;
  const source = sourceOf(observation, { bed: result.bed, patient: result.patient, bedMappingId, codeMappingId });
  const values = sorted.sources.get(source.key) ?? newValues(source, monitor);
  sorted.sources.set(source.key, values);
  const refuse = (code: Refused['code']): void => {
    values.refused.push({ code, sample: { mrn: patient.mrn, ...textOf(observation, ward) } });
    noteRefusal(monitor, reasons[code]);
  };
  const { at } = observation.takenAt;
  if (at === null) {
    refuse('unparsable_time');
  } else if (read.outcome === 'withdraw') {
    values.withdrawn.push({ patientId: patient.id, kind: kinds[read.kind].code, takenAt: at });
  } else if (read.outcome === 'refused') {
    refuse(refusalCodes[read.reason]);
    if (read.reason === 'text' || read.reason === 'unit') {
      sorted.asked.push(observation);
    }
  } else if (!isNear(at, receivedAt)) {
    refuse('clock_wrong');
  } else if (isOneTooMany(sorted, source.key, { patientId: patient.id, kind: read.kind, receivedAt, ward })) {
    // No source is made for it.
    monitor.refused.push({ code: 'too_many_sources', sample: { mrn: patient.mrn, ...textOf(observation, ward) } });
    noteRefusal(monitor, reasons.too_many_sources);
  } else {
    const { value, quality } =
      read.outcome === 'value' ? read : { value: noSignalValue(read.kind), quality: 'invalid' as const };
    monitor.isTaken = true;
    monitor.takenAt.push(at);
    values.samples.push({ patientId: patient.id, kind: read.kind, value, takenAt: instantOf(at), quality });
    if (observation.status === 'C') {
      values.replacing.push({ patientId: patient.id, kind: kinds[read.kind].code, takenAt: at });
    }
    if (values.withdrawn.length > 0) {
      // Withdrawals are stored after the values, but this value was sent after its withdrawal.
      values.withdrawn = values.withdrawn.filter(
        (key) => key.patientId !== patient.id || key.kind !== kinds[read.kind].code || key.takenAt !== at,
      );
    }
  }
}

/** Returns whether a source is one more than may measure a kind of a patient; notes it, if it is not. */
function isOneTooMany(
  { measuring }: SortedValues,
  key: string,
  { patientId, kind, receivedAt, ward }: { patientId: number; kind: VitalKind; receivedAt: EpochMs; ward: ValueWard },
): boolean {
  const of = `${patientId} ${kind}`;
  const known =
    measuring.get(of) ??
    new Set(
      ward
        .sourcesOf(patientId, kind)
        .flatMap((one) => (receivedAt - one.receivedAt < measuringMs ? [one.source.key] : [])),
    );
  measuring.set(of, known);
  const isNew = !known.has(key);
  if (isNew && known.size < mostMeasuring) {
    known.add(key);
    return false;
  }
  return isNew;
}

/** A rate of 255 is no signal, unless the message has an SpO2 of the same patient and time (as by the other door). */
function endNoRates({ sources }: SortedValues): void {
  const samples = [...sources.values()].flatMap((values) => values.samples);
  const placeOf = ({ patientId, takenAt }: (typeof samples)[number]): string => `${patientId} ${takenAt}`;
  const measured = new Set(
    samples.filter(({ kind, quality }) => kind === 'spo2' && quality !== 'invalid').map(placeOf),
  );
  for (const sample of samples) {
    const isRate = sample.kind === 'heartRate' || sample.kind === 'pulseRate';
    if (isRate && sample.value === noRate && !measured.has(placeOf(sample))) {
      sample.quality = 'invalid';
    }
  }
}

const newValues = (source: Source, monitor: MonitorValues): SourceValues => ({
  source,
  monitor,
  samples: [],
  refused: [],
  withdrawn: [],
  replacing: [],
});

/** An INOP about a probe that a monitor has on a patient, and the time of its line. */
interface HeardInop {
  inop: Inop;
  at: EpochMs;
  patientId: number;
  place: string;
  /** The mapping of its bed, if that alone says whose it is. */
  bedMappingId: number | null;
  monitor: MonitorValues;
}

/**
 * Lets an INOP count for the probe that it names. A number that comes with it is kept, because it may be low, and is
 * questionable, because one of the two is wrong. Else the probe has no signal, as if the message said so by its code:
 * only one that has measured this patient, and has said nothing newer. The sample is of the moment before, so that a
 * number of the same time, which may come in a message of its own before or after, is neither replaced nor hidden.
 */
function applyInop(sorted: SortedValues, heard: HeardInop, ward: ValueWard): void {
  const { inop, at, patientId, place, bedMappingId, monitor } = heard;
  const before = at - 1;
  for (const { kind, code } of inop.numbers) {
    const isKeyOfProbe = keyTest(place, code);
    const isOfProbe = (source: Source): boolean =>
      isKeyOfProbe(source.key) &&
      (source.bedMappingId ?? null) === bedMappingId &&
      (source.codeMappingId ?? null) === null;
    const answered = new Set<string>();
    for (const { source, samples } of [...sorted.sources.values()].filter((values) => isOfProbe(values.source))) {
      // Whatever its time: that of the line may be of another clock, and its sample teach this source a wrong one.
      for (const sample of samples.filter((one) => one.patientId === patientId && one.kind === kind)) {
        answered.add(source.key);
        if (sample.quality === 'good') {
          sample.quality = 'questionable';
        }
      }
    }
    const silent = inop.means === 'questionable' ? [] : ward.sourcesOf(patientId, kind);
    const probes = silent.filter(({ source, takenAt }) => isOfProbe(source) && takenAt < before);
    for (const { source } of probes.sort((a, b) => b.takenAt - a.takenAt).slice(0, mostProbes)) {
      if (!answered.has(source.key)) {
        const values = sorted.sources.get(source.key) ?? newValues(source, monitor);
        sorted.sources.set(source.key, values);
        const value = noSignalValue(kind);
        values.samples.push({ patientId, kind, value, takenAt: toInstant(before), quality: 'invalid' });
      }
    }
  }
}

const refusalCodes = {
  training: 'training',
  status: 'malformed_sample',
  text: 'unknown_text',
  unit: 'unknown_unit',
} as const;

/** Returns what quarantine keeps of a value, under the names that the other door's samples have. */
function textOf(observation: Observation, ward: ValueWard) {
  const { code, subId, value, unit, status, flags, takenAt } = observation;
  return {
    kind: meaningOf(observation, ward)?.kind ?? null,
    value,
    takenAt: takenAt.text,
    code: codeText(code),
    subId,
    unit: unit.id,
    status,
    flags,
  };
}

/** A row of quarantine holds as many values of a patient: it is no place to read them, and must stay whole. */
const valuesKept = 4;

/** Returns what quarantine keeps of a patient's part of a message. */
function evidenceOf({ patient, bed }: OruResult, observations: readonly Observation[], ward: ValueWard) {
  const [first] = patient.identifiers;
  const known = observations.filter((observation) => meaningOf(observation, ward) !== null);
  return {
    ...(first === undefined ? {} : { mrn: first.id.slice(0, 64) }),
    bed: bed?.slice(0, 100) ?? null,
    count: known.length,
    values: known.slice(0, valuesKept).map((observation) => textOf(observation, ward)),
  };
}
