import { isOwned } from '../../lib/alerts/alert';
import { inOrderOfUrgency, type RankedAlert } from '../../lib/alerts/inOrderOfUrgency';
import type { Evidence } from '../../lib/alerts/evidence';
import type { AlertRecord } from './alertWrites';

/** An ECG rate below this is hardly a beat, in beats/min (clinical.md section 2.3). */
const asystoleBelow = 20;

/** Returns whether the ECG showed hardly any beat when the rule was raised. */
export const isAsystole = (rule: string, of: Evidence | undefined): boolean =>
  rule === 'hr.extreme' && (of?.samples.find(({ kind }) => kind === 'heartRate')?.value ?? Infinity) < asystoleBelow;

/** Returns what decides the place of an alert in a list. */
export function rankOf({ id, alert, evidence }: AlertRecord): RankedAlert {
  const { parameter, rule, priority, condition, lastRaisedAt } = alert;
  return {
    id,
    parameter,
    rule,
    priority,
    condition,
    isOwned: isOwned(alert),
    isAsystole: isAsystole(rule, evidence),
    escalationStep: alert.escalation.step,
    lastRaisedAt,
  };
}

/** Returns alerts in the order of urgency. */
export function inOrder(found: readonly AlertRecord[]): AlertRecord[] {
  return found
    .map((record) => ({ record, rank: rankOf(record) }))
    .sort((a, b) => inOrderOfUrgency(a.rank, b.rank))
    .map(({ record }) => record);
}
