import { isOpen, ownerOf } from '../../lib/alerts/alert';
import { alertSide } from '../../lib/alerts/alertSide';
import type { Side } from '../../lib/alerts/episode';
import { inOrderOfUrgency, type RankedAlert } from '../../lib/alerts/inOrderOfUrgency';
import type { RuleGroup } from '../../lib/alerts/plan';
import type { Plans } from '../../lib/alerts/ruleState';
import type { EpochMs } from '../../lib/time/epochMs';
import type { AlertRecord } from './alertWrites';
import { rankOf } from './rankOf';

/** What the lists of patients need to know of an alert that is not closed. */
export interface OpenAlert extends RankedAlert {
  side: Side | null;
  /** Between these no rule of its parameter holds; null: its rule evaluates no single value. */
  calm: RuleGroup['calm'] | null;
  isAcknowledged: boolean;
  /** The user who accepted it. */
  ownerId: number | null;
  /** When its episode was first raised. */
  raisedAt: EpochMs;
  /** Until when a first reading waits for a second one (clinical.md section 0, S1); null if it does not. */
  confirmBy: EpochMs | null;
}

/**
 * Returns those of a patient's alerts that are not closed, the most urgent first. `plans` hold for the patient now;
 * null: at home, where others do.
 */
export function openAlertsOf(records: readonly AlertRecord[], plans: Plans | null): OpenAlert[] {
  const groups = plans === null ? [] : Object.values(plans).flatMap((plan) => plan.groups);
  return records
    .filter(({ alert }) => isOpen(alert))
    .map((record) => {
      const { alert, evidence, raisedAt } = record;
      const group = groups.find(({ parameter }) => parameter === alert.parameter);
      const isOfValue = group?.rules.some(({ id, input }) => id === alert.rule && input === 'value') === true;
      return {
        ...rankOf(record),
        side: alertSide(alert, evidence),
        calm: isOfValue ? group.calm : null,
        isAcknowledged: alert.acknowledged !== null,
        ownerId: ownerOf(alert),
        raisedAt,
        confirmBy: alert.condition === 'active' ? alert.unconfirmedUntil : null,
      };
    })
    .sort(inOrderOfUrgency);
}
