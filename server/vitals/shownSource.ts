import { sourceStateOf } from '../../lib/alerts/feeds';
import { spotEveryMs } from '../../lib/alerts/timing';
import { firstDifference } from '../../lib/sortOrder';
import type { EpochMs } from '../../lib/time/epochMs';
import { disagree, isWorse } from '../../lib/vitals/disagreement';
import { staleAfterMs } from '../../lib/vitals/freshness';
import { kinds, type VitalKind } from '../../lib/vitals/kinds';
import { isPresent, presentUntil, type SourceState } from '../../lib/vitals/presence';
import type { PatientRow } from '../db/rows';
import type { LiveState } from '../liveState';
import { isByPatient, isManual, manualSource, patientSource } from './manualSource';
import { newestOf } from './newest';
import { isClockKnown, isInvalid, qualityCode, qualityOf, withUnknownClock } from './qualityCode';
import type { Latest, Sample } from './sample';

/** A patient at home is to measure three times a day (clinical.md section 2.1, NHS diary). */
export const homeExpectedEveryMs = 8 * 3_600_000;

/**
 * How long a value that was typed in instead of the monitor's stays live, divided by 1.5, in milliseconds: it must not
 * hide for hours that the monitor is silent. The time after which silence is an alert (clinical.md section 2.6).
 */
const manualExpectedEveryMs = 15 * 60_000;

/**
 * Returns how often a new value of this kind is due, in milliseconds: as the device is set (`setEveryMs`), or as it has
 * been sending for a while if that is more often (clinical.md section 0, S2).
 */
export function expectedEveryMs(liveState: LiveState, patient: PatientRow, kind: VitalKind, deviceId: number): number {
  const setMs = setEveryMs(liveState, patient, kind, deviceId);
  if (patient.profile !== 'continuous' || !kinds[kind].continuous || isManual(deviceId)) {
    return setMs;
  }
  const key = { patientId: patient.id, kind: kinds[kind].code, deviceId };
  return Math.min(setMs, liveState.sourceTimings.observedEveryMs(key) ?? Infinity);
}

/**
 * Returns how often a device is to send this kind, in milliseconds: as it is set, else the profile, else the kind. Its
 * setting is for its stream; a cuff or a thermometer on the same device has longer intervals.
 */
export function setEveryMs(liveState: LiveState, patient: PatientRow, kind: VitalKind, deviceId: number): number {
  const ofKind = patient.profile === 'home' ? homeExpectedEveryMs : kinds[kind].expectedEveryMs;
  if (isManual(deviceId) && patient.profile === 'continuous' && kinds[kind].continuous) {
    return manualExpectedEveryMs;
  }
  const ofDevice = liveState.devices.get(deviceId)?.expected_every_ms ?? null;
  if (ofDevice === null) {
    return ofKind;
  }
  return kinds[kind].continuous ? ofDevice : Math.max(ofDevice, ofKind);
}

/** What is shown of a kind, and until when that stays so if nothing new arrives. */
export interface Shown {
  latest: Latest;
  /** It is not of the device that is assigned to the patient and measures the kind. */
  isSubstitute: boolean;
  /** The value of another source that is present, the one that differs most; null: there is none. */
  other: Latest | null;
  until: number;
}

/** What a device says of a kind, and for how long. Times are epoch milliseconds. */
interface Source {
  latest: Latest;
  /** See `measuredOf`. */
  measured: Latest | null;
  /** It is present before this. */
  endsAt: EpochMs;
  /** Its value is stale from then on. */
  staleAt: EpochMs;
  /** Between two of its values, by what it does where that is slower than it is set. Milliseconds. */
  everyMs: number;
}

/**
 * Returns the value of a kind that is shown at `now`: of the assigned devices that are present (`isPresent`), else of
 * the others that are, else `newestOfAll`. The same rule decides which devices are evaluated (lib/alerts/feeds). Among
 * several of them `chosenOf` decides.
 */
export function shownLatest(
  liveState: LiveState,
  patient: PatientRow,
  kind: VitalKind,
  newestOfAll: Latest,
  now: EpochMs,
): Shown {
  const devices = liveState.latestOfDevices(patient.id, kinds[kind].code);
  if (devices.length < 2) {
    return { latest: newestOfAll, isSubstitute: false, other: null, until: Infinity };
  }
  const isAssigned = ({ sample }: Latest): boolean => liveState.assigned.get(sample.deviceId) === patient.id;
  const present = devices
    .map((latest): Source => {
      const state = sourceStateAt(liveState, patient, kind, latest);
      const expected = expectedEveryMs(liveState, patient, kind, latest.sample.deviceId);
      const measured = measuredOf(latest);
      return {
        latest,
        measured,
        endsAt: (presentUntil(state) ?? -Infinity) + 1,
        staleAt: (measured ?? latest).asOf + staleAfterMs(expected) + 1,
        everyMs: Math.max(expected, state.everyMs),
      };
    })
    .filter(({ endsAt }) => now < endsAt);
  const isGood = ({ latest }: Source): boolean => qualityOf(latest.sample.quality) === 'good';
  const hasDoubt = ({ latest }: Source): boolean => qualityOf(latest.sample.quality) === 'questionable';
  // One that doubts its value is not present beside one that does not (clinical.md section 00, A6).
  const assigned = present.filter((one) => isAssigned(one.latest) && !(hasDoubt(one) && present.some(isGood)));
  // The clock ends a person's choice that does not hold any more (`isSettled`).
  const counted = kind === 'spo2' ? liveState.settledSources.get(patient.id) : undefined;
  const settled = present.filter((one) => one.latest.sample.deviceId === counted && !hasDoubt(one));
  const preferred = settled.length > 0 ? settled : assigned;
  // Beyond this moment another device may be shown, or none is present.
  const until = present
    .flatMap(({ endsAt, staleAt }) => [endsAt, staleAt])
    .filter((at) => at > now)
    .reduce((earliest, at) => Math.min(earliest, at), Infinity);
  const chosen = chosenOf(kind, preferred.length > 0 ? preferred : present, now);
  const isSubstituted = (latest: Latest): boolean => devices.some(isAssigned) && !isAssigned(latest);
  const isNewestSilent =
    preferred.length === 0 && !present.some(({ latest }) => latest.sample.deviceId === newestOfAll.sample.deviceId);
  if (chosen === null || (isNewestSilent && isOlder(chosen, newestOfAll))) {
    return { latest: newestOfAll, isSubstitute: isSubstituted(newestOfAll), other: null, until };
  }
  // A value before a loss of signal may be another device's: it is shown as past, from any device.
  const latest = { ...chosen, valid: newestOfAll.valid };
  const off = ({ sample }: Latest): number => Math.abs(sample.value - latest.sample.value);
  const [other] = present
    .flatMap(({ measured }) => (measured?.sample.deviceId === latest.sample.deviceId ? [] : (measured ?? [])))
    .sort((a, b) => firstDifference(off(b) - off(a), b.asOf - a.asOf, a.sample.deviceId - b.sample.deviceId));
  return { latest, isSubstitute: isSubstituted(latest), other: other ?? null, until };
}

/** A value older than this by more is no present one in its place, in milliseconds. */
const notOlderMs = 60_000;

/**
 * Returns whether a present device's value was measured long before the newest one of all: a reading of five hours ago,
 * or one that was typed in, never takes the place of what a monitor measured before it fell silent.
 */
function isOlder(value: Latest, newestOfAll: Latest): boolean {
  return !isInvalid(newestOfAll.sample.quality) && newestOfAll.asOf - value.asOf > notOlderMs;
}

/** A device that sends at least so often is shown all the time, not only while its value is the newest. */
const steadyEveryMs = 10_000;

/**
 * Returns which of several present values is shown, if nothing else says whose: null if there is none. All of them are
 * evaluated, so the worst one is shown, lest a screen says 98 beside an alert of 74; of those that are as bad always
 * the same device's, because the newest would be another one's each second. An uncertain one is shown only if it
 * disagrees with those that are certain. Typed values, devices that measure once in a while, and values that are stale
 * are shown while they are the newest.
 */
function chosenOf(kind: VitalKind, sources: readonly Source[], now: EpochMs): Latest | null {
  const [first, ...others] = sources.map(({ latest }) => latest);
  if (first === undefined || others.length === 0) {
    return first ?? null;
  }
  const [newest = first, ...before] = sources.flatMap(({ measured }) => measured ?? []);
  const streams = sources.flatMap(({ measured, everyMs, staleAt }) =>
    measured !== null && everyMs < spotEveryMs && now < staleAt ? [{ measured, everyMs }] : [],
  );
  const isCertain = ({ sample }: Latest): boolean => qualityOf(sample.quality) === 'good';
  const [steady = newestOf(newest, before)] = streams
    .flatMap(({ measured, everyMs }) => (everyMs <= steadyEveryMs ? [measured] : []))
    .sort((a, b) =>
      firstDifference(Number(isCertain(b)) - Number(isCertain(a)), a.sample.deviceId - b.sample.deviceId),
    );
  const worseOf = (known: Latest, each: Latest): Latest =>
    isWorse(kind, each.sample.value, known.sample.value) ? each : known;
  const values = streams.map(({ measured }) => measured);
  const worst = values.filter(isCertain).reduce(worseOf, steady);
  return values.filter(({ sample }) => disagree(kind, sample.value, worst.sample.value)).reduce(worseOf, worst);
}

/**
 * Returns what a present device measured last, null if it is not known. Without a signal for a moment that is its last
 * value, which is uncertain then: a screen that says another number each second is of no use.
 */
function measuredOf(latest: Latest): Latest | null {
  const { sample, valid } = latest;
  if (!isInvalid(sample.quality)) {
    return latest;
  }
  if (valid === null) {
    return null;
  }
  const uncertain = qualityCode('questionable', true);
  const quality = isClockKnown(sample.quality) ? uncertain : withUnknownClock(uncertain);
  return { sample: { ...sample, value: valid.value, takenAt: valid.takenAt, quality }, asOf: valid.asOf, valid };
}

/** Returns what decides whether the device of a latest value is present. */
function sourceStateAt(liveState: LiveState, patient: PatientRow, kind: VitalKind, latest: Latest): SourceState {
  const { sample, asOf, valid } = latest;
  const expected = expectedEveryMs(liveState, patient, kind, sample.deviceId);
  const timing = liveState.sourceTimings.of(sample);
  if (timing !== undefined && timing.last !== null) {
    return sourceStateOf(expected, timing);
  }
  // Nothing valid since the start of the server: what the store knows.
  const validAt = valid?.asOf ?? null;
  const isInvalidNow = validAt !== null && asOf > validAt;
  return { validAt, invalidSince: timing?.invalidSince ?? (isInvalidNow ? asOf : null), everyMs: expected };
}

/**
 * Returns whether a sample's values count for a patient at home: its device is assigned to the patient, or no assigned
 * device that measures the kind is present. What users type in always counts.
 */
export function isSourceEvaluated(
  liveState: LiveState,
  patient: PatientRow,
  kind: VitalKind,
  { deviceId, receivedAt }: Pick<Sample, 'deviceId' | 'receivedAt'>,
): boolean {
  const isAssigned = (id: number): boolean => liveState.assigned.get(id) === patient.id;
  return (
    isManual(deviceId) ||
    isAssigned(deviceId) ||
    !liveState
      .latestOfDevices(patient.id, kinds[kind].code)
      .some(
        (latest) =>
          isAssigned(latest.sample.deviceId) && isPresent(sourceStateAt(liveState, patient, kind, latest), receivedAt),
      )
  );
}

/** Returns the name of a value's source in responses. */
export function sourceName(liveState: LiveState, deviceId: number): string {
  if (isManual(deviceId)) {
    return isByPatient(deviceId) ? patientSource : manualSource;
  }
  return liveState.devices.get(deviceId)?.name ?? `device ${deviceId}`;
}
