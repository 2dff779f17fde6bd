import { isOpen } from '../../lib/alerts/alert';
import { passOver } from '../http/errors';
import type { AlertState } from './alertState';
import type { AlertRecord, AlertWrites } from './alertWrites';
import { evaluateDeviceAlone, evaluatePatientAlone, type Run } from './evaluateAlone';
import type { RuleStates } from './ruleStates';
import { escalateAll } from './subject';

/** Returns the open alerts whose holders have signed out, or were signed out (clinical.md section 00, A1). */
const leftBehind = (state: AlertState): AlertRecord[] =>
  [...state.records()].filter(
    (record) => isOpen(record.alert) && state.people.releaseOf(record, record.alert, state.now()) === 'signed_out',
  );

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
