import type { Kysely } from 'kysely';
import type { ActionFault } from '../../lib/alerts/actions';
import type { Alert, AlertChange } from '../../lib/alerts/alert';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';
import { keep, type AlertState } from './alertState';
import type { AlertRecord } from './alertWrites';
import { isPatient } from './ruleStates';
import { applyChange } from './subject';
import { answerRedFlag } from './symptoms';

/** Takes an alert and returns the change of a user's action, or a fault. */
export type Action = (alert: Alert, now: EpochMs) => AlertChange | ActionFault;

/**
 * Runs a user's action on an alert; `audited` writes the audit's row in the same transaction. Resolves with null if the
 * alert is unknown.
 */
export async function handleAction(
  state: AlertState,
  id: number,
  action: Action,
  audited: ((transaction: Kysely<Database>) => Promise<void>) | null,
): Promise<AlertRecord | ActionFault | null> {
  return await state.transact((states, writes) => {
    const record = state.find(id);
    if (record === null) {
      return null;
    }
    const change = action(record.alert, state.now());
    if (typeof change === 'string') {
      return change;
    }
    const { parameter } = record.alert;
    const context = state.contextAt(state.now(), writes);
    const subject = record.patientId === null ? states.device(record.deviceId ?? 0) : states.patient(record.patientId);
    if (subject === undefined) {
      return null;
    }
    const isAnswered = parameter === 'symptoms' && change.alert.closed !== null;
    const answered = isAnswered && isPatient(subject) ? answerRedFlag(subject) : subject;
    const after = applyChange(answered, parameter, change, () => record.evidence, context);
    keep(states, after, writes);
    return after.records[parameter] ?? null;
  }, audited);
}
