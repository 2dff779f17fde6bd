import { gapLimits } from '../../lib/alerts/timing';
import { judgeBattery, judgeClock, judgeGateway, type Battery } from '../../lib/alerts/technicalRules';
import { parameters } from '../../lib/alerts/parameters';
import { closeAll, escalateAll, tellActive, type Subject, type Telling } from './subject';

/** Where the rules stand with a device. Immutable. */
export interface DeviceWatch extends Subject {
  patientId: null;
  deviceId: number;
}

/** What is known of a device's calls. Epoch milliseconds. */
export interface DeviceHeard {
  heardAt: number;
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
export function openDeviceWatch(siteId: number, deviceId: number): DeviceWatch {
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
export function watchDevice(given: DeviceWatch, heard: DeviceHeard, telling: Telling): DeviceWatch {
  if (heard.isRevoked) {
    return closeDevice(given, 'device revoked', telling);
  }
  const { now } = telling;
  let device = given;
  if (heard.isGateway) {
    const silent = judgeGateway(heard, now);
    device = tellActive(device, 'gateway', silent === null ? [] : [silent], awake, telling);
  } else {
    device = closeGateway(device, telling);
  }
  if (heard.offsetMs !== null) {
    const off = judgeClock(heard.offsetMs, now);
    device = tellActive(device, 'clock', off === null ? [] : [off], awake, telling);
  }
  if (heard.battery !== null) {
    const low = judgeBattery(heard.battery, now);
    device = tellActive(device, 'battery', low === null ? [] : [low], awake, telling);
  }
  return escalateAll(device, telling);
}

function closeGateway(device: DeviceWatch, telling: Telling): DeviceWatch {
  const closed = closeAll(device, ['gateway'], 'no gateway any more', telling);
  if (closed === device) {
    return device;
  }
  const { gateway: _, ...technical } = closed.technical;
  return { ...closed, technical };
}

/** Nobody looks after the device any more. What it does when it is used again is told anew. */
export function closeDevice(device: DeviceWatch, reason: string, telling: Telling): DeviceWatch {
  const closed = closeAll(device, parameters, reason, telling);
  return closed === device ? device : { ...closed, technical: noEpisodes };
}

/**
 * Whether its patients' silence is the gateway's: it has not called when it should have, so that its own alert is told
 * or on its way.
 */
export function isSilentGateway({ isGateway, isRevoked, heardAt, expectedEveryMs }: DeviceHeard, now: number): boolean {
  return isGateway && !isRevoked && now - heardAt > gapLimits(expectedEveryMs).holds;
}
