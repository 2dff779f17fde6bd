import {
  diskLow,
  doubtedClock,
  evaluateCut,
  evaluateServerClock,
  evaluateServerFault,
  type TechnicalActive,
} from '../../lib/alerts/technicalRules';
import type { EpochMs } from '../../lib/time/epochMs';
import type { ClockMemory } from './clockMemory';
import type { DeviceRuleState } from './deviceRuleState';
import { evaluateDeviceAlone, type Run } from './evaluateAlone';
import { serverOf } from './serverSubject';
import { applyActive, escalateAll } from './subject';

const awake = { isHeld: false };

/**
 * Evaluates the server itself for each site whose rules are on: its clock (clinical.md section 0, C1), whether a fault
 * of its own ended it, and its disk, once that was looked at.
 */
export function evaluateServer(
  run: Run,
  { step, isClockDoubted, startedAfterFault, isDiskLow, cut }: ClockMemory,
): void {
  const { state, states, at } = run;
  const ofCut = cut === null ? null : evaluateCut(cut, at);
  for (const siteId of state.people.sitesWithRules()) {
    const known = states.device(serverOf(siteId));
    const ofStep = step === null ? null : evaluateServerClock(step, at);
    const before = stillActive(known, at);
    // A second, smaller step is no improvement.
    const stepped = ofStep === null || before?.priority === 'high' ? before : ofStep;
    const ofClock = [stepped ?? [], isClockDoubted ? { ...doubtedClock, since: at } : []].flat();
    const faultAt = startedAfterFault ?? openSince(known, 'server');
    const fault = faultAt === null ? null : evaluateServerFault(faultAt, at);
    if (known !== undefined || ofClock.length > 0 || fault !== null || isDiskLow === true || ofCut !== null) {
      evaluateDeviceAlone(run, { siteId, deviceId: serverOf(siteId) }, (server, context) => {
        const clock = applyActive(server, 'clock', ofClock, awake, context);
        const ended = applyActive(clock, 'server', fault === null ? [] : [fault], awake, context);
        const withPort = applyActive(ended, 'gateway', ofCut === null ? [] : [ofCut], awake, context);
        const ofDisk = isDiskLow === true ? [{ ...diskLow, since: at }] : [];
        return escalateAll(
          isDiskLow === null ? withPort : applyActive(withPort, 'disk', ofDisk, awake, context),
          context,
        );
      });
    }
  }
}

/** After a restart only the alert itself knows of a step. */
function stillActive(server: DeviceRuleState | undefined, now: EpochMs): TechnicalActive | null {
  const since = openSince(server, 'clock');
  const alert = server?.records.clock?.alert;
  return since === null || alert?.rule === doubtedClock.rule
    ? null
    : evaluateServerClock({ jumpedMs: alert?.priority === 'high' ? Infinity : 0, at: since }, now);
}

/** Returns since when an alert about the server is active, null if none is. */
function openSince(server: DeviceRuleState | undefined, parameter: 'clock' | 'server'): EpochMs | null {
  const alert = server?.records[parameter]?.alert;
  return alert === undefined || alert.condition === 'ended' ? null : alert.since;
}
