import type { Battery, MonitorFate, Signal } from '../../lib/alerts/technicalRules';
import { streamNames, streams, type StreamName } from '../../lib/alerts/streams';
import type { DueTimes } from '../../lib/checkIn/dueTimes';
import type { EpochMs } from '../../lib/time/epochMs';
import { offAfterMs } from '../../lib/vitals/freshness';
import { kindOfCode, kinds, type VitalKind } from '../../lib/vitals/kinds';
import type { PatientRow } from '../db/rows';
import { wholeKey } from '../hl7/sourceOf';
import type { LiveState } from '../liveState';
import { isManual } from '../vitals/manualSource';
import { newestOf } from '../vitals/newest';
import { hasStoppedStating, qualityOf } from '../vitals/qualityCode';
import type { Latest } from '../vitals/sample';
import { expectedEveryMs, homeExpectedEveryMs, setEveryMs } from '../vitals/shownSource';
import { isSilentGateway, type DeviceFacts } from './deviceRuleState';
import { scoreFactsOf, type ScoreFacts } from './news2';

/** The newest call of a device: when it came, and the offset of its clock in milliseconds; null: it has none. */
export interface DeviceCall {
  at: EpochMs;
  offsetMs: number | null;
  battery: Battery | null;
}

/** The signals of a patient's monitor: each is missed if it does not arrive. */
const signalKinds: readonly (readonly VitalKind[])[] = [['spo2'], ['heartRate', 'pulseRate']];
const isSignal = (kind: VitalKind): boolean => signalKinds.some((names) => names.includes(kind));
/** A device without a patient is watched for this long after its last call, in milliseconds. */
const usedForMs = 15 * 60_000;

/** After a start a probe that came and went is still taken to do so, in milliseconds. */
const unknownForMs = 2 * 60_000;

/** What a tick needs to know of a patient beside the rule state. Epoch milliseconds. */
export interface ClockFacts {
  /** Without those that a silent gateway carries: its own alert is raised instead. */
  signals: readonly Signal[];
  /** There are some of these. */
  isGatewaySilent: boolean;
  isContinuousRequired: boolean;
  /** When the newest reading of any kind was taken, or since when the patient is known. */
  lastReadingAt: EpochMs;
  readingsEveryMs: number;
  /** When check-ins from home are due. */
  dueTimes: DueTimes;
  /** Null: not evaluated in this tick. */
  news2: ScoreFacts | null;
  /** Silence counts from here on: the server was not running before. */
  listeningSince: EpochMs;
}

/** What is known of a patient at `at` beside their values. Epoch milliseconds. */
interface SignalFacts {
  at: EpochMs;
  listeningSince: EpochMs;
  /** The probe of one of their signals has been coming and going. */
  wasUnreliable: boolean;
  /** The devices that are assigned to them, with since when they are missed. */
  assigned: readonly { deviceId: number; since: EpochMs }[];
}

/** Returns the signals of a patient: also of each assigned device that has sent nothing since it was assigned. */
function signalsOf(
  liveState: LiveState,
  row: PatientRow,
  { at, listeningSince, wasUnreliable, assigned }: SignalFacts,
): { signal: Signal; deviceId: number }[] {
  const awaited = assigned.flatMap(({ deviceId, since }) => {
    const device = liveState.devices.get(deviceId);
    const hasSent = [...liveState.latestOf(row.id).keys()].some((kind) => {
      const latest = liveState.latestOfDevice({ patientId: row.id, kind, deviceId });
      return latest !== undefined && latest.asOf >= since;
    });
    // A monitor behind an HL7 sender is many devices, and some never send a value.
    const { sender_id = null, revoked_at = null } = device ?? {};
    if (hasSent || sender_id !== null || revoked_at !== null) {
      return [];
    }
    const expectedEveryMs = setEveryMs(liveState, row, 'spo2', deviceId);
    const silent = { validAt: since, lastSeenAt: since, isUnreliable: false, hasStoppedStating: false };
    return [{ signal: { ...silent, expectedEveryMs }, deviceId }];
  });
  const measured = signalKinds.flatMap((names) => {
    // A value typed in by hand must not hide that the monitor is silent.
    const measured = names.map((kind) => ({
      kind,
      latest: liveState.latestOfDevices(row.id, kinds[kind].code).filter(({ sample }) => !isManual(sample.deviceId)),
    }));
    const isAssigned = ({ sample }: Latest): boolean => liveState.assigned.get(sample.deviceId) === row.id;
    // Another device does not hide that the assigned one has no signal (clinical.md section 0, Q1).
    const hasAssigned = measured.some(({ latest }) => latest.some(isAssigned));
    const found = measured.flatMap(({ kind, latest: ofDevices }) => {
      const [first, ...others] = hasAssigned ? ofDevices.filter(isAssigned) : ofDevices;
      if (first === undefined) {
        return [];
      }
      const latest = newestOf(first, others);
      const { deviceId } = latest.sample;
      const every = expectedEveryMs(liveState, row, kind, deviceId);
      return [
        {
          signal: {
            expectedEveryMs: every,
            validAt: latest.valid?.asOf ?? row.created_at,
            lastSeenAt: latest.asOf,
            isUnreliable:
              liveState.sourceTimings.isUnreliable(latest.sample, wasUnreliable, every, at) ??
              (wasUnreliable && at - listeningSince < unknownForMs),
            hasStoppedStating: hasStoppedStating(latest.sample.quality) && qualityOf(latest.sample.quality) === 'good',
          },
          deviceId,
        },
      ];
    });
    // A rate from the oximeter is not missing because the ECG is off.
    return found.sort((a, b) => b.signal.validAt - a.signal.validAt).slice(0, 1);
  });
  return [...measured, ...awaited];
}

/** What a patient's samples show of a device. */
export interface Measured {
  deviceId: number;
  patientId: number;
  /** When the newest sample of any kind arrived, epoch milliseconds. */
  lastSeenAt: EpochMs;
  /** Of its signals: when the newest arrived, and how often they are expected in milliseconds; null: it sends none. */
  signal: { lastSeenAt: EpochMs; expectedEveryMs: number } | null;
}

/** Returns what a patient's samples show of each device that measures them. */
export function measuredOf(liveState: LiveState, row: PatientRow): Measured[] {
  const measured = new Map<number, Measured>();
  for (const code of liveState.latestOf(row.id).keys()) {
    const kind = kindOfCode(code);
    for (const { sample } of liveState.latestOfDevices(row.id, code)) {
      const { deviceId, receivedAt } = sample;
      if (!isManual(deviceId)) {
        const known = measured.get(deviceId) ?? { deviceId, patientId: row.id, lastSeenAt: 0, signal: null };
        measured.set(deviceId, {
          ...known,
          lastSeenAt: Math.max(known.lastSeenAt, receivedAt),
          signal: !isSignal(kind)
            ? known.signal
            : {
                lastSeenAt: Math.max(known.signal?.lastSeenAt ?? 0, receivedAt),
                expectedEveryMs: Math.min(
                  known.signal?.expectedEveryMs ?? Infinity,
                  expectedEveryMs(liveState, row, kind, deviceId),
                ),
              },
        });
      }
    }
  }
  return [...measured.values()];
}

/** Returns what finds out by what the values of a device come: the HL7 sender of a source, else the device itself. */
export function gatewaysOf({ devices }: Pick<LiveState, 'devices'>): (deviceId: number) => number {
  const found = new Map<number, number>();
  for (const { id, sender_id, source_key } of devices.values()) {
    if (sender_id !== null && source_key === wholeKey) {
      found.set(sender_id, id);
    }
  }
  return (deviceId) => found.get(devices.get(deviceId)?.sender_id ?? 0) ?? deviceId;
}

/** Returns the signals that a device carries, one of each patient, whatever number of its probes measures them. */
function carriedBy(measured: readonly Measured[]): NonNullable<Measured['signal']>[] {
  const found = new Map<number, NonNullable<Measured['signal']>>();
  for (const { patientId, signal } of measured) {
    const known = found.get(patientId);
    if (signal !== null) {
      found.set(patientId, {
        lastSeenAt: Math.max(known?.lastSeenAt ?? 0, signal.lastSeenAt),
        expectedEveryMs: Math.min(known?.expectedEveryMs ?? Infinity, signal.expectedEveryMs),
      });
    }
  }
  return [...found.values()];
}

/** Returns the patients whose values a device carries that was last seen at `lastAt`. */
function carriedPatients(measured: readonly Measured[], lastAt: EpochMs): number[] {
  const carried = measured.filter(({ lastSeenAt, signal }) =>
    signal === null
      ? lastAt - lastSeenAt <= usedForMs
      : lastAt - signal.lastSeenAt <= offAfterMs(signal.expectedEveryMs),
  );
  return [...new Set(carried.map(({ patientId }) => patientId))].sort((a, b) => a - b);
}

/**
 * Returns what is known of each device that measures a patient or has called a short while ago, at `at`. Silence counts
 * from `listeningSince` on. What the sources of an HL7 sender measure, the sender carries. Epoch milliseconds.
 */
export function deviceFactsOf(
  liveState: LiveState,
  measured: readonly Measured[],
  { calls, fates }: { calls: ReadonlyMap<number, DeviceCall>; fates: ReadonlyMap<number, MonitorFate> },
  { at, listeningSince }: { at: EpochMs; listeningSince: EpochMs },
): Map<number, DeviceFacts & { siteId: number }> {
  const ofDevices = new Map<number, Measured[]>();
  const gatewayOf = gatewaysOf(liveState);
  for (const one of measured) {
    for (const deviceId of new Set([one.deviceId, gatewayOf(one.deviceId)])) {
      const known = ofDevices.get(deviceId);
      if (known === undefined) {
        ofDevices.set(deviceId, [one]);
      } else {
        known.push(one);
      }
    }
  }
  const addUsed = (deviceId: number, heardAt: EpochMs): void => {
    if (at - heardAt <= usedForMs && !ofDevices.has(deviceId)) {
      ofDevices.set(deviceId, []);
    }
  };
  for (const [deviceId, call] of calls) {
    addUsed(deviceId, call.at);
  }
  for (const [deviceId, { refused, takenAt }] of fates) {
    addUsed(deviceId, Math.max(refused?.at ?? 0, takenAt ?? 0));
  }
  const facts = new Map<number, DeviceFacts & { siteId: number }>();
  for (const [deviceId, patients] of ofDevices) {
    const device = liveState.devices.get(deviceId);
    if (device !== undefined) {
      const call = calls.get(deviceId);
      const lastAt = Math.max(call?.at ?? 0, ...patients.map(({ lastSeenAt }) => lastSeenAt));
      // What it had stopped serving before its last call does not count.
      const served = carriedBy(
        patients.filter(
          ({ signal }) => signal !== null && lastAt - signal.lastSeenAt <= offAfterMs(signal.expectedEveryMs),
        ),
      );
      const every = Math.min(...served.map(({ expectedEveryMs: ofSignal }) => ofSignal));
      const gatewayId = gatewayOf(deviceId);
      const isGateway = gatewayId === deviceId && served.length > 1;
      facts.set(deviceId, {
        siteId: device.site_id,
        lastSeenAt: lastAt,
        missedFrom: Math.max(lastAt, listeningSince),
        expectedEveryMs: every,
        isGateway,
        // Of thousands of devices few are gateways.
        patientIds: isGateway ? carriedPatients(patients, lastAt) : [],
        gatewayId,
        offsetMs: call?.offsetMs ?? null,
        battery: call?.battery ?? null,
        fate: fates.get(deviceId) ?? null,
        gatewayUntil: device.gateway_until,
        isRevoked: device.revoked_at !== null,
      });
    }
  }
  return facts;
}

/** Returns what a tick needs to know of a patient. The score is evaluated if `isScored`. Epoch milliseconds. */
export function clockFactsOf(
  liveState: LiveState,
  row: PatientRow,
  devices: ReadonlyMap<number, DeviceFacts>,
  { isScored, dueTimes, ...facts }: SignalFacts & { isScored: boolean; dueTimes: DueTimes },
): ClockFacts {
  const { at, listeningSince } = facts;
  const signals = signalsOf(liveState, row, facts);
  const readings = [...liveState.latestOf(row.id).values()].map(({ asOf }) => asOf);
  const isCarried = ({ deviceId }: (typeof signals)[number]): boolean => {
    const gateway = devices.get(devices.get(deviceId)?.gatewayId ?? deviceId);
    return gateway !== undefined && isSilentGateway(gateway, at);
  };
  return {
    signals: signals.filter((one) => !isCarried(one)).map(({ signal }) => signal),
    isGatewaySilent: signals.some(isCarried),
    isContinuousRequired: signals.some(({ deviceId }) => liveState.assigned.get(deviceId) === row.id),
    // Also covers patients who never sent a reading.
    lastReadingAt: Math.max(row.created_at, ...readings),
    readingsEveryMs: homeExpectedEveryMs,
    dueTimes,
    news2: row.profile === 'continuous' && isScored ? scoreFactsOf(liveState, row, at, dueTimes.timeZone) : null,
    listeningSince,
  };
}

/** Returns the streams of a patient that this device measured last and that no other device measures at `at`. */
export function streamsLeft(liveState: LiveState, row: PatientRow, deviceId: number, at: EpochMs): StreamName[] {
  return streamNames.filter((name) => {
    const measured = measuredIn(liveState, row, name);
    const isItsOwn = measured.some(({ latest: [first, ...others] }) => {
      return first !== undefined && newestOf(first, others).sample.deviceId === deviceId;
    });
    return isItsOwn && !isMeasured(liveState, row, name, at, deviceId);
  });
}

/** Returns the streams of a patient that no device measures at `at`, and none is assigned to. */
export function streamsOff(liveState: LiveState, row: PatientRow, at: EpochMs): StreamName[] {
  return streamNames.filter(
    (name) =>
      !isMeasured(liveState, row, name, at) &&
      !measuredIn(liveState, row, name).some(({ latest }) =>
        latest.some(({ sample }) => liveState.assigned.get(sample.deviceId) === row.id),
      ),
  );
}

/** Returns what devices measure of a stream. */
function measuredIn(liveState: LiveState, row: PatientRow, name: StreamName): { kind: VitalKind; latest: Latest[] }[] {
  return streams[name].kinds
    .filter((kind) => row.profile === 'continuous' && kinds[kind].continuous)
    .map((kind) => ({
      kind,
      latest: liveState.latestOfDevices(row.id, kinds[kind].code).filter(({ sample }) => !isManual(sample.deviceId)),
    }));
}

/** Returns whether a device other than `except` measures a stream at `at`. */
function isMeasured(liveState: LiveState, row: PatientRow, name: StreamName, at: EpochMs, except?: number): boolean {
  return measuredIn(liveState, row, name).some(({ kind, latest }) =>
    latest.some(
      ({ sample, asOf }) =>
        sample.deviceId !== except && at - asOf <= offAfterMs(expectedEveryMs(liveState, row, kind, sample.deviceId)),
    ),
  );
}
