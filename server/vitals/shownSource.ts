import type { EpochMs } from '../../lib/time/epochMs';
import { offAfterMs } from '../../lib/vitals/freshness';
import { kinds, type VitalKind } from '../../lib/vitals/kinds';
import type { PatientRow } from '../db/rows';
import type { LiveState } from '../liveState';
import { isManual, manualSource } from './manualSource';
import { newestOf } from './newest';
import type { Latest } from './sample';

/** A patient at home is to measure three times a day (clinical.md section 2.1, NHS diary). */
export const homeExpectedEveryMs = 8 * 3_600_000;

/**
 * How long a value that was typed in instead of the monitor's stays live, divided by 1.5, in milliseconds: it must not
 * hide for hours that the monitor is silent. The time after which silence is an alert (clinical.md section 2.6).
 */
const manualExpectedEveryMs = 15 * 60_000;

/**
 * Returns how often a new value of this kind is due, in milliseconds: as the device is set, else the profile, else the
 * kind. The device's setting is for its stream; a cuff or a thermometer on the same device has longer intervals.
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

/** What is shown of a kind, and until when that stays so if nothing new arrives. */
interface Shown {
  latest: Latest;
  until: number;
}

/**
 * Returns the value of a kind that is shown at `now`: the newest from a device that is assigned to the patient and not
 * off yet, else `newest`, the newest of all.
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
 * Returns whether a device's values of a kind are the ones that are shown and count for a patient at `now`: it is
 * assigned to the patient, or no assigned device measures the kind. Users count, too, by `sourceOfUser`.
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

/** Returns the name of a value's source in responses. */
export function sourceName(liveState: LiveState, deviceId: number): string {
  return isManual(deviceId) ? manualSource : (liveState.devices.get(deviceId)?.name ?? `device ${deviceId}`);
}
