import { gapLimits } from '../../lib/alerts/timing';
import {
  evaluateBattery,
  evaluateDeviceClock,
  evaluateGateway,
  evaluateMonitor,
  evaluateUnconfirmed,
  type Battery,
  type MonitorFate,
} from '../../lib/alerts/technicalRules';
import { parameters } from '../../lib/alerts/parameters';
import type { EpochMs } from '../../lib/time/epochMs';
import { closeAll, escalateAll, applyActive, type Subject, type ChangeContext } from './subject';

/** The rules' state for a device. Immutable. */
export interface DeviceRuleState extends Subject {
  patientId: null;
  deviceId: number;
}

/** What is known of a device and its calls. Epoch milliseconds. */
export interface DeviceFacts {
  lastSeenAt: EpochMs;
  /** From when on its silence counts: as before, but no time in which the server was down. */
  missedFrom: EpochMs;
  expectedEveryMs: number;
  /** It reports for several patients. */
  isGateway: boolean;
  /** The patients whose values come by a gateway. */
  patientIds: readonly number[];
  /** By what its values come: the HL7 sender for its sources, else the device itself. */
  gatewayId: number;
  /** Its clock plus this is our time, in milliseconds; null: no call since this start. */
  offsetMs: number | null;
  battery: Battery | null;
  /** What became of its messages, for a monitor behind an HL7 sender. Null: no patient's part came since this start. */
  fate: MonitorFate | null;
  /** Until when it may send for any patient, to be confirmed; null: it may not. */
  gatewayUntil: EpochMs | null;
  /** Its right to send has been revoked. */
  isRevoked: boolean;
}

/** Returns the state of a device without alerts. */
export function createDeviceRuleState(siteId: number, deviceId: number): DeviceRuleState {
  return {
    siteId,
    patientId: null,
    deviceId,
    profile: 'continuous',
    records: {},
    technical: noEpisodes,
    kept: [noEpisodes],
  };
}

const noEpisodes = Object.freeze({});

/**
 * Evaluates what depends on time and on the device's calls. A gateway that serves at most one patient any more is not
 * missed.
 */
export function evaluateDevice(given: DeviceRuleState, facts: DeviceFacts, context: ChangeContext): DeviceRuleState {
  if (facts.isRevoked) {
    return closeDevice(given, 'device revoked', context);
  }
  const { now } = context;
  let device = given;
  if (facts.isGateway) {
    // It has said nothing since a silence that was an alert before the server was down.
    const wasSilent = device.technical.gateway?.endedAt === null;
    const silent = evaluateGateway({ ...facts, lastSeenAt: wasSilent ? facts.lastSeenAt : facts.missedFrom }, now);
    device = applyActive(device, 'gateway', [silent], context);
  } else {
    device = closeGateway(device, context);
  }
  if (facts.offsetMs !== null) {
    device = applyActive(device, 'clock', [evaluateDeviceClock(facts.offsetMs, now)], context);
  }
  if (facts.battery !== null) {
    device = applyActive(device, 'battery', [evaluateBattery(facts.battery, now)], context);
  }
  const unconfirmed = facts.gatewayUntil === null ? null : evaluateUnconfirmed(facts.gatewayUntil, now);
  if (facts.fate !== null || unconfirmed !== null) {
    const refused = facts.fate === null ? null : evaluateMonitor(facts.fate);
    device = applyActive(device, 'monitor', [unconfirmed, refused], context);
  }
  return escalateAll(device, context);
}

function closeGateway(device: DeviceRuleState, context: ChangeContext): DeviceRuleState {
  const closed = closeAll(device, ['gateway'], 'no gateway any more', context);
  if (closed === device) {
    return device;
  }
  const { gateway: _, ...technical } = closed.technical;
  return { ...closed, technical };
}

/** Closes the alerts of a device that is no longer in use. If it is used again, its rules start again. */
export function closeDevice(device: DeviceRuleState, reason: string, context: ChangeContext): DeviceRuleState {
  const closed = closeAll(device, parameters, reason, context);
  return closed === device ? device : { ...closed, technical: noEpisodes };
}

/**
 * Returns whether the silence of its patients is the gateway's: its call is overdue, so that its own alert is raised or
 * due.
 */
export function isSilentGateway(
  { isGateway, isRevoked, missedFrom, expectedEveryMs }: DeviceFacts,
  now: EpochMs,
): boolean {
  return isGateway && !isRevoked && now - missedFrom > gapLimits(expectedEveryMs).holds;
}
