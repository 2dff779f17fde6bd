import { safeParse } from '../../lib/safeParse';
import type { EpochMs } from '../../lib/time/epochMs';
import { isInFuture } from '../../lib/time/isInFuture';
import {
  consciousnessLevels,
  hasSignal,
  isPossible,
  isVitalKind,
  kinds,
  noSignalValue,
  vitalKinds,
} from '../../lib/vitals/kinds';
import { ingestSample, type IngestSample, type RejectionCode } from '../../lib/vitals/schema';
import { qualityCode, stoppedCode, withUnknownClock } from '../vitals/qualityCode';
import type { LiveState } from '../liveState';
import { movedMs, nearMs, seriesKey, type Sample } from '../vitals/sample';
import type { DeviceRow, PatientRow } from '../db/rows';
import { mayWrite } from '../devices/gateway';

export interface Rejection {
  code: RejectionCode;
  message: string;
}

export interface Arrival {
  deviceId: number;
  siteId: number;
  receivedAt: EpochMs;
  /** Milliseconds to add to the device's times to get the server's. */
  offsetMs: number;
  /** False: the offset is a guess. */
  isClockKnown: boolean;
  /** It is certain. */
  isClockEstablished: boolean;
  /** The device whose token sent it; null: it came by another way. */
  token: DeviceRow | null;
  /**
   * The series (`seriesKey`) for which earlier samples of the same call stated a quality, with the time of the last
   * one. The live state gets them after the commit.
   */
  stating: ReadonlyMap<number, EpochMs>;
}

/**
 * Returns a raw sample in the form of the store, or why it is rejected. `takenAt` is null if it is no instant. Reads
 * patients and sources from the live state and changes nothing. A fault concerns this sample alone.
 */
export function checkSample(
  raw: unknown,
  takenAt: EpochMs | null,
  arrival: Arrival,
  liveState: LiveState,
): Sample | Rejection {
  const parsed = safeParse(ingestSample, raw);
  if (!parsed.success) {
    return explain(raw, parsed.error.issues);
  }
  const { data } = parsed;
  if (takenAt === null) {
    return unparsableTime;
  }
  if (isInFuture(takenAt + arrival.offsetMs, arrival.receivedAt)) {
    return { code: 'time_in_future', message: 'takenAt is more than 5 min in the future' };
  }
  if (takenAt + arrival.offsetMs < 0) {
    return { code: 'unparsable_time', message: 'takenAt lies before 1970 by the clock of sentAt' };
  }
  const patient = findPatient(data, takenAt + arrival.offsetMs, arrival, liveState);
  if ('code' in patient) {
    return patient;
  }
  const facts = kinds[data.kind];
  const value = data.kind === 'consciousness' ? consciousnessIndex(data.value) : data.value;
  if (typeof value !== 'number') {
    return {
      code: 'impossible_value',
      message: `value must be ${data.kind === 'consciousness' ? 'one of A, C, V, P, U' : 'a number'}`,
    };
  }
  const statedAt =
    arrival.stating.get(seriesKey(patient.id, facts.code)) ??
    liveState.qualityStatedAt(arrival.deviceId, patient.id, facts.code);
  const isSignal = hasSignal(data.kind, value);
  const quality = isSignal ? (data.quality ?? 'good') : 'invalid';
  const code =
    data.quality === undefined && statedAt !== null
      ? stoppedCode(isSignal, takenAt - statedAt)
      : qualityCode(quality, data.quality !== undefined);
  const { deviceId } = arrival;
  const before = liveState.latestOfDevice({ patientId: patient.id, kind: facts.code, deviceId })?.sample;
  return {
    // What is read again is found by the time that was sent: it may be taken back before it is read.
    minute: Math.floor((takenAt + (liveState.isEarlier(deviceId) ? 0 : moveOf(takenAt, arrival, before))) / minuteMs),
    patientId: patient.id,
    kind: facts.code,
    takenAt,
    deviceId,
    siteId: arrival.siteId,
    // What is sent for "no value" may be no number that the store can keep.
    value: isPossible(data.kind, value) ? value : noSignalValue(data.kind),
    quality: arrival.isClockKnown ? code : withUnknownClock(code),
    receivedAt: arrival.receivedAt,
    offsetMs: arrival.offsetMs,
  };
}

const minuteMs = 60_000;

/**
 * Returns by how much the minute of a sample is moved to our clock, in milliseconds (`movedMs`). It is a part of the
 * key, so it follows the offset in steps alone, and what may have been sent before has that of the newest sample: all
 * that is no newer if the clock was set forward, or is a guess. The calls of a sender of HL7 are known by their bytes.
 */
function moveOf(
  takenAt: EpochMs,
  { offsetMs, isClockEstablished, token }: Arrival,
  before: Pick<Sample, 'minute' | 'takenAt'> | undefined,
): number {
  const moved = before === undefined ? 0 : movedMs(before);
  const newestAt = before?.takenAt ?? -Infinity;
  const mayBeOlder = offsetMs < moved || (!isClockEstablished && token !== null);
  const isRepeat = mayBeOlder ? takenAt <= newestAt : !isClockEstablished && takenAt === newestAt;
  return isRepeat || Math.abs(offsetMs - moved) <= nearMs ? moved : Math.round(offsetMs / minuteMs) * minuteMs;
}

const unparsableTime: Rejection = {
  code: 'unparsable_time',
  message: 'takenAt must be an instant with an offset, such as 2026-05-01T10:00:00Z',
};

function findPatient(
  sample: IngestSample,
  at: EpochMs,
  { siteId, receivedAt, token }: Arrival,
  liveState: LiveState,
): PatientRow | Rejection {
  if ((sample.patientId === undefined) === (sample.mrn === undefined)) {
    return { code: 'malformed_sample', message: 'give either mrn or patientId' };
  }
  const patient =
    sample.patientId === undefined
      ? liveState.patientByMrn((sample.mrn ?? '').normalize('NFC').trim(), siteId)
      : (liveState.patients.get(sample.patientId) ?? null);
  if (patient === null) {
    return {
      code: 'unknown_patient',
      message: `no patient has this ${sample.patientId === undefined ? 'mrn' : 'patientId'}`,
    };
  }
  if (patient.site_id !== siteId) {
    return { code: 'other_site_patient', message: 'this patientId is not of the site of the device' };
  }
  // The monitor is probably on another patient already: quarantine keeps the value without showing it under this name.
  if (patient.state === 'discharged') {
    return { code: 'discharged_patient', message: 'this patient is discharged' };
  }
  return token === null || mayWrite(token, patient, { dateOfBirth: sample.dateOfBirth, at, receivedAt }, liveState)
    ? patient
    : { code: 'not_its_patient', message: 'this device does not send for this patient' };
}

const ofPatient = ['unknown_patient', 'other_site_patient', 'discharged_patient', 'not_its_patient'] as const;

/** Returns whether a sample was refused because of the patient whom it names. */
export function isOfPatient(code: RejectionCode): boolean {
  return ofPatient.some((one) => one === code);
}

function consciousnessIndex(value: number | string): number | null {
  const index = consciousnessLevels.findIndex((level) => level === value);
  return index === -1 ? null : index;
}

/** Returns the rejection that describes the schema's issues best. Only rejected samples take this slow path. */
function explain(raw: unknown, issues: { path: PropertyKey[]; message: string }[]): Rejection {
  const fields = new Set(issues.map((issue) => String(issue.path[0] ?? '')));
  const sample = typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>) : {};
  if (fields.has('kind') && typeof sample.kind === 'string' && !isVitalKind(sample.kind)) {
    return { code: 'unknown_kind', message: `kind must be one of ${vitalKinds.join(', ')}` };
  }
  if (fields.has('takenAt') && typeof sample.takenAt === 'string') {
    return unparsableTime;
  }
  if (fields.has('value') && (typeof sample.value === 'number' || typeof sample.value === 'string')) {
    return { code: 'impossible_value', message: 'value must be a number in the unit of the kind' };
  }
  const first = issues[0];
  const where = first === undefined || first.path.length === 0 ? 'the sample' : first.path.join('.');
  return { code: 'malformed_sample', message: `${where}: ${first?.message ?? 'is not valid'}`.slice(0, 200) };
}
