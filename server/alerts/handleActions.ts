import type { Kysely } from 'kysely';
import type { ActionFault } from '../../lib/alerts/actions';
import type { Alert, AlertChange, AlertEvent } from '../../lib/alerts/alert';
import { withdraw } from '../../lib/alerts/withdraw';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';
import { passOver } from '../http/errors';
import { keep, type AlertState } from './alertState';
import { newestEventId } from './alertRows';
import type { AlertRecord, AlertWrites } from './alertWrites';
import { isPatient, type RuleStates } from './ruleStates';
import { applyChange } from './subject';
import { answer } from './symptoms';
import { streamsOff } from './clockFacts';
import { resolveWithoutDevice } from './closePatient';

/** Takes an alert and returns the change of a user's action, or a fault. */
export type Action = (alert: Alert, now: EpochMs) => AlertChange | ActionFault;

/** Writes the audit's rows of what a user did to alerts, in the same transaction. */
export type Audited = (transaction: Kysely<Database>, done: readonly Done[]) => Promise<void>;

/** An alert on which an action changed something, and what it wrote. */
export interface Done {
  id: number;
  events: readonly AlertEvent[];
}

/** Why nothing was done: the alert whose action was refused; null: it is not known. */
interface Refusal {
  id: number;
  fault: ActionFault | null;
}

/** The alerts after an action, in the order in which they were named. */
export type Handled = { records: AlertRecord[] } | { refused: Refusal };

/**
 * Runs a user's actions on alerts, all of them or none, in one transaction. Those of the server itself, which nothing
 * audits, happen also while nothing can be stored.
 */
export async function handleActions(
  state: AlertState,
  actions: readonly { id: number; action: Action }[],
  audited: Audited | null,
): Promise<Handled> {
  const done: Done[] = [];
  if (audited !== null) {
    return await state.transact(
      (states, writes) => carryOut(state, states, writes, actions, done),
      (transaction) => audited(transaction, done),
    );
  }
  try {
    return await state.transact((states, writes) => carryOut(state, states, writes, actions, []));
  } catch (error) {
    passOver(error);
    return await state.judgeUnstoredInQueue((states, writes) => carryOut(state, states, writes, actions, []));
  }
}

/**
 * Takes a user's last action on an alert back (`withdraw`), which wrote the event `eventId`: nothing may have happened
 * since.
 */
export async function undoAction(
  state: AlertState,
  { id, userId, eventId }: { id: number; userId: number; eventId: number },
  audited: Audited,
): Promise<Handled> {
  const done: Done[] = [];
  return await state.transact(
    async (states, writes) => {
      const newest = (await newestEventId(state.store.db, [id])).get(id);
      const patientId = state.find(id)?.patientId ?? null;
      // An acknowledgement that closed the alert is not undone for a patient who has left since.
      const hasLeft = patientId !== null && state.rowOf(patientId)?.state !== 'active';
      const action: Action = (alert, at) =>
        newest === eventId && !hasLeft ? withdraw(alert, userId, at) : 'alert_changed';
      return carryOut(state, states, writes, [{ id, action }], done);
    },
    (transaction) => audited(transaction, done),
  );
}

function carryOut(
  state: AlertState,
  states: RuleStates,
  writes: AlertWrites,
  actions: readonly { id: number; action: Action }[],
  done: Done[],
): Handled {
  const at = state.now();
  const changes: { record: AlertRecord; change: AlertChange }[] = [];
  const subjectOf = ({ patientId, deviceId }: AlertRecord) =>
    patientId === null ? states.device(deviceId ?? 0) : states.patient(patientId);
  for (const { id, action } of actions) {
    const found = state.find(id);
    const record = found === null || subjectOf(found) === undefined ? null : found;
    const change = record === null ? null : action(record.alert, at);
    // Nothing is applied before all of them are known to be possible.
    if (record === null || change === null || typeof change === 'string') {
      return { refused: { id, fault: typeof change === 'string' ? change : null } };
    }
    changes.push({ record, change });
  }
  const context = state.contextAt(at, writes);
  return {
    records: changes.map(({ record, change }) => {
      const { parameter } = record.alert;
      const subject = subjectOf(record);
      if (subject === undefined || (change.alert === record.alert && change.events.length === 0)) {
        return record;
      }
      const resolved = isPatient(subject)
        ? resolveWithoutDevice(subject, change, streamsOff(state.liveState, subject.row, at), at)
        : { patient: subject, change };
      const isAnswered = resolved.change.alert.closed !== null;
      const answered =
        isAnswered && isPatient(resolved.patient) ? answer(resolved.patient, parameter) : resolved.patient;
      const after = applyChange(answered, parameter, resolved.change, () => record.evidence, context);
      keep(states, after, writes);
      done.push({ id: record.id, events: resolved.change.events });
      return after.records[parameter] ?? record;
    }),
  };
}
