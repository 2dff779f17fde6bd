import { isOwned } from '../../lib/alerts/alert';
import type { RankedAlert } from '../../lib/alerts/inOrderOfUrgency';
import type { AlertRecord } from './alertWrites';

/** An ECG rate below this is hardly a beat, in beats/min (clinical.md section 2.3). */
const asystoleBelow = 20;

/** Returns what decides the place of an alert in a list. */
export function rankOf({ id, alert, evidence }: AlertRecord): RankedAlert {
  const { parameter, rule, priority, condition, lastRaisedAt } = alert;
  const heartRate = evidence.samples.find(({ kind }) => kind === 'heartRate')?.value;
  return {
    id,
    parameter,
    rule,
    priority,
    condition,
    isOwned: isOwned(alert),
    isAsystole: rule === 'hr.extreme' && heartRate !== undefined && heartRate < asystoleBelow,
    escalationStep: alert.escalation.step,
    lastRaisedAt,
  };
}
