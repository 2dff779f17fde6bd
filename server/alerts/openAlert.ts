import { isOpen } from '../../lib/alerts/alert';
import { alertSide, clearLimitOf } from '../../lib/alerts/alertSide';
import type { Side } from '../../lib/alerts/episode';
import { inOrderOfUrgency, type RankedAlert } from '../../lib/alerts/inOrderOfUrgency';
import type { Limit } from '../../lib/alerts/limit';
import type { EpochMs } from '../../lib/time/epochMs';
import type { AlertRecord } from './alertWrites';
import { rankOf } from './rankOf';

/** What the lists of patients need to know of an alert that is not closed. */
export interface OpenAlert extends RankedAlert {
  side: Side | null;
  /** Where its values have to stay for it to end; null: it is about no value. */
  clear: Limit | null;
  isAcknowledged: boolean;
  /** The user who accepted it. */
  ownerId: number | null;
  /** When its episode was first raised. */
  raisedAt: EpochMs;
  /** Until when a first reading waits for a second one (clinical.md section 0, S1); null if it does not. */
  confirmBy: EpochMs | null;
}

/** Returns those of a patient's alerts that are not closed, the most urgent first. */
export function openAlertsOf(records: readonly AlertRecord[]): OpenAlert[] {
  return records
    .filter(({ alert }) => isOpen(alert))
    .map((record) => {
      const { alert, evidence, raisedAt } = record;
      const side = alertSide(alert, evidence);
      return {
        ...rankOf(record),
        side,
        clear: clearLimitOf(alert, evidence, side),
        isAcknowledged: alert.acknowledged !== null,
        ownerId: alert.responsibility?.is === 'accepted' ? alert.responsibility.by : null,
        raisedAt,
        confirmBy: alert.condition === 'active' ? alert.unconfirmedUntil : null,
      };
    })
    .sort(inOrderOfUrgency);
}
