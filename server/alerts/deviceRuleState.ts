import { gapLimits } from '../../lib/alerts/timing';
import { evaluateBattery, evaluateDeviceClock, evaluateGateway, type Battery } from '../../lib/alerts/technicalRules';
import { parameters } from '../../lib/alerts/parameters';
import { closeAll, escalateAll, applyActive, type Subject, type ChangeContext } from './subject';

/** Where the rules stand with a device. Immutable. */
export interface DeviceRuleState extends Subject {
  patientId: null;
  deviceId: number;
}

/** What is known of a device's calls. Epoch milliseconds. */
export interface DeviceFacts {
  lastSeenAt: number;
  expectedEveryMs: number;
  /** It reports for several patients. */
  isGateway: boolean;
  /** Added to its times it gives ours, in milliseconds; null: not heard since this start. */
  offsetMs: number | null;
  battery: Battery | null;
  /** It may not send any more. */
  isRevoked: boolean;
}

/** A device of which nothing was told yet. */
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

const awake = { isHeld: false };

/**
 * What is due with time, and with what was heard of the device. A gateway that serves one patient, or nobody, any more
 * is not missed.
 */
export function evaluateDevice(given: DeviceRuleState, facts: DeviceFacts, context: ChangeContext): DeviceRuleState {
  if (facts.isRevoked) {
    return closeDevice(given, 'device revoked', context);
  }
  const { now } = context;
  let device = given;
  if (facts.isGateway) {
    const silent = evaluateGateway(facts, now);
    device = applyActive(device, 'gateway', silent === null ? [] : [silent], awake, context);
  } else {
    device = closeGateway(device, context);
  }
  if (facts.offsetMs !== null) {
    const off = evaluateDeviceClock(facts.offsetMs, now);
    device = applyActive(device, 'clock', off === null ? [] : [off], awake, context);
  }
  if (facts.battery !== null) {
    const low = evaluateBattery(facts.battery, now);
    device = applyActive(device, 'battery', low === null ? [] : [low], awake, context);
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

/** Nobody looks after the device any more. What it does when it is used again is told anew. */
export function closeDevice(device: DeviceRuleState, reason: string, context: ChangeContext): DeviceRuleState {
  const closed = closeAll(device, parameters, reason, context);
  return closed === device ? device : { ...closed, technical: noEpisodes };
}

/**
 * Whether its patients' silence is the gateway's: it has not called when it should have, so that its own alert is told
 * or on its way.
 */
export function isSilentGateway(
  { isGateway, isRevoked, lastSeenAt, expectedEveryMs }: DeviceFacts,
  now: number,
): boolean {
  return isGateway && !isRevoked && now - lastSeenAt > gapLimits(expectedEveryMs).holds;
}
