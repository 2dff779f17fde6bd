import { diskLow } from '../../lib/alerts/technicalRules';
import { evaluateDeviceAlone, type Run } from './evaluateAlone';
import { serverOf } from './serverSubject';
import { applyActive, escalateAll } from './subject';

/** Evaluates the disk with the data for each site whose rules are on; null: not looked at yet. */
export function evaluateDisk(run: Run, isLow: boolean | null): void {
  const { state, states, at } = run;
  for (const siteId of isLow === null ? [] : state.people.sitesWithRules()) {
    if (isLow === true || states.device(serverOf(siteId)) !== undefined) {
      evaluateDeviceAlone(run, { siteId, deviceId: serverOf(siteId) }, (server, context) => {
        const active = isLow === true ? [{ ...diskLow, since: at }] : [];
        return escalateAll(applyActive(server, 'disk', active, { isHeld: false }, context), context);
      });
    }
  }
}
