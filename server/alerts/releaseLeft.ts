import { release } from '../../lib/alerts/actions';
import { holderOf, isOpen } from '../../lib/alerts/alert';
import { passOver } from '../http/errors';
import type { AlertState } from './alertState';
import { noWrites, type AlertRecord, type AlertWrites } from './alertWrites';
import { evaluateDeviceAlone, evaluatePatientAlone, type Run } from './evaluateAlone';
import type { RuleStates } from './ruleStates';
import { escalateAll, escalated } from './subject';

/** Returns the open alerts whose holders have signed out, or were signed out (clinical.md section 00, A1). */
const leftBehind = (state: AlertState): AlertRecord[] =>
  [...state.records()].filter(
    (record) => isOpen(record.alert) && state.people.releaseOf(record, record.alert, state.now()) === 'signed_out',
  );

/**
 * Returns the open alerts that a user holds as they would be after that user had signed out at this moment: the steps
 * asked last say to whom they go.
 */
export function afterSignOut(state: AlertState, userId: number): AlertRecord[] {
  const at = state.now();
  const context = state.contextAt(at, noWrites(), userId);
  return [...state.records()].flatMap((record) => {
    const change = holderOf(record.alert) === userId ? release(record.alert, 'signed_out', at) : null;
    const profile = state.rowOf(record.patientId ?? 0)?.profile ?? 'continuous';
    return change === null
      ? []
      : {
          ...record,
          alert: escalated({ ...record, profile, records: {}, technical: {}, kept: [] }, change, context).alert,
        };
  });
}

/**
 * Ends what users hold who have signed out, and asks those who are responsible now. Also while nothing can be stored:
 * no one has to stay signed in for that.
 */
export async function releaseLeft(state: AlertState): Promise<void> {
  if (leftBehind(state).length === 0) {
    return;
  }
  const release = (states: RuleStates, writes: AlertWrites): void => {
    const run: Run = { state, states, writes, at: state.now() };
    for (const { patientId, deviceId, siteId } of leftBehind(state)) {
      if (patientId !== null) {
        evaluatePatientAlone(run, patientId, 'clock', escalateAll);
      } else if (deviceId !== null) {
        evaluateDeviceAlone(run, { siteId, deviceId }, escalateAll);
      }
    }
  };
  try {
    await state.transact(release);
  } catch (error) {
    passOver(error);
    await state.judgeUnstoredInQueue(release);
  }
}
