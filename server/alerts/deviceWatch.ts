import { gapLimits } from '../../lib/alerts/timing';
import { judgeBattery, judgeClock, judgeGateway, type Battery } from '../../lib/alerts/technicalRules';
import { closeAll, passTimeOf, tellActive, type Subject, type Telling } from './subject';

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
  return { siteId, patientId: null, deviceId, profile: 'continuous', records: {}, technical: noEpisodes, kept: [noEpisodes] };
}

const noEpisodes = Object.freeze({});

const awake = { isHeld: false };

/** What is due with time, and with what was heard of the device. A gateway that serves nobody any more is not missed. */
export function watchDevice(given: DeviceWatch, heard: DeviceHeard, telling: Telling): DeviceWatch {
  if (heard.isRevoked) {
    return closeAll(given, ['gateway', 'clock', 'battery'], 'device revoked', telling);
  }
  const { now } = telling;
  let device = given;
  if (heard.isGateway) {
    const silent = judgeGateway(heard, now);
    device = tellActive(device, 'gateway', silent === null ? [] : [silent], awake, telling);
  } else {
    device = closeAll(device, ['gateway'], 'serves no patient', telling);
  }
  if (heard.offsetMs !== null) {
    const off = judgeClock(heard.offsetMs, now);
    device = tellActive(device, 'clock', off === null ? [] : [off], awake, telling);
  }
  if (heard.battery !== null) {
    const low = judgeBattery(heard.battery, now);
    device = tellActive(device, 'battery', low === null ? [] : [low], awake, telling);
  }
  return passTimeOf(device, telling);
}

/** Whether its patients' silence is the gateway's: it has not called when it should have, so that its own alert is told or on its way. */
export function isSilentGateway({ isGateway, heardAt, expectedEveryMs }: DeviceHeard, now: number): boolean {
  return isGateway && now - heardAt > gapLimits(expectedEveryMs).holds;
}
