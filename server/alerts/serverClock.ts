import { doubtedClock, evaluateServerClock, type TechnicalActive } from '../../lib/alerts/technicalRules';
import type { EpochMs } from '../../lib/time/epochMs';
import type { ClockMemory } from './clockMemory';
import type { DeviceRuleState } from './deviceRuleState';
import { evaluateDeviceAlone, type Run } from './evaluateAlone';
import { serverOf } from './serverSubject';
import { applyActive, escalateAll } from './subject';

/** Evaluates the server's own clock for each site whose rules are on (clinical.md section 0, C1). */
export function evaluateServer(run: Run, { step, isClockDoubted }: ClockMemory): void {
  const { state, states, at } = run;
  for (const siteId of state.people.sitesWithRules()) {
    const known = states.device(serverOf(siteId));
    const ofStep = step === null ? null : evaluateServerClock(step, at);
    const before = stillActive(known, at);
    // A second, smaller step is no improvement.
    const stepped = ofStep === null || before?.priority === 'high' ? before : ofStep;
    const active = [stepped ?? [], isClockDoubted ? { ...doubtedClock, since: at } : []].flat();
    if (known !== undefined || active.length > 0) {
      evaluateDeviceAlone(run, { siteId, deviceId: serverOf(siteId) }, (server, context) =>
        escalateAll(applyActive(server, 'clock', active, { isHeld: false }, context), context),
      );
    }
  }
}

/** After a restart only the alert itself knows of a step. */
function stillActive(server: DeviceRuleState | undefined, now: EpochMs): TechnicalActive | null {
  const alert = server?.records.clock?.alert;
  return alert === undefined || alert.condition === 'ended' || alert.rule === doubtedClock.rule
    ? null
    : evaluateServerClock({ jumpedMs: alert.priority === 'high' ? Infinity : 0, at: alert.since }, now);
}
