import type { EpochMs } from '../../lib/time/epochMs';
import { offAfterMs } from '../../lib/vitals/freshness';
import { kinds, type VitalKind } from '../../lib/vitals/kinds';
import type { PatientRow } from '../db/rows';
import type { LiveState } from '../liveState';
import { isManual, manualSource } from './manualSource';
import { newestOf } from './newest';
import type { Latest } from './sample';

/** Three readings a day are asked of a patient at home (clinical.md section 2.1, NHS diary). */
export const homeExpectedEveryMs = 8 * 3_600_000;

/**
 * What a monitor should show and somebody took by hand instead stays live for this long half as much again, in
 * milliseconds: it must not hide for hours that the monitor is silent. The time after which silence is an alert of its
 * own (clinical.md section 2.6).
 */
const manualExpectedEveryMs = 15 * 60_000;

/**
 * How often a new value of this kind is due, in milliseconds: the device's word, else the profile's, else the kind's.
 * The device's word is about its stream; a cuff or a thermometer on the same device still comes at its own, longer
 * intervals.
 */
export function expectedEveryMs(liveState: LiveState, patient: PatientRow, kind: VitalKind, deviceId: number): number {
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

/** What is shown of a kind, and until when (epoch milliseconds) that stays so where nothing new comes in. */
interface Shown {
  latest: Latest;
  until: number;
}

/**
 * Takes the newest value of a kind and returns the one that is shown at `now` (epoch milliseconds): the newest that
 * comes from a device assigned to the patient and is not off yet, else the newest of all.
 */
export function shownLatest(
  liveState: LiveState,
  patient: PatientRow,
  kind: VitalKind,
  newestOfAll: Latest,
  now: EpochMs,
): Shown {
  const devices = liveState.latestOfDevices(patient.id, kinds[kind].code);
  const offAt = ({ sample, asOf }: Latest): number =>
    asOf + offAfterMs(expectedEveryMs(liveState, patient, kind, sample.deviceId)) + 1;
  const [first, ...others] =
    devices.length < 2
      ? []
      : devices.filter((one) => liveState.assigned.get(one.sample.deviceId) === patient.id && now < offAt(one));
  if (first === undefined) {
    return { latest: newestOfAll, until: Infinity };
  }
  const preferred = newestOf(first, others);
  // A value before a loss of signal may be another device's: it is shown as past, from any device.
  return { latest: { ...preferred, valid: newestOfAll.valid }, until: offAt(preferred) };
}

/**
 * Whether a device's values of a kind are those that count for a patient at `now` (epoch milliseconds), as they are the
 * ones shown: it is assigned to the patient, or no device that is gives the kind. So are a person's, by `sourceOfUser`.
 */
export function isCounted(
  liveState: LiveState,
  patient: PatientRow,
  kind: VitalKind,
  deviceId: number,
  now: EpochMs,
): boolean {
  if (liveState.assigned.get(deviceId) === patient.id) {
    return true;
  }
  return !liveState
    .latestOfDevices(patient.id, kinds[kind].code)
    .some(
      ({ sample, asOf }) =>
        liveState.assigned.get(sample.deviceId) === patient.id &&
        now <= asOf + offAfterMs(expectedEveryMs(liveState, patient, kind, sample.deviceId)),
    );
}

/** What answers call the source of a value. */
export function sourceName(liveState: LiveState, deviceId: number): string {
  return isManual(deviceId) ? manualSource : (liveState.devices.get(deviceId)?.name ?? `device ${deviceId}`);
}
