import { unreadableAlert } from '../../lib/alerts/technicalRules';
import { evaluateDeviceAlone, evaluateFormerPatientAlone, type Run } from './evaluateAlone';
import { applyActive, type ChangeContext, type Subject } from './subject';

/**
 * Raises "alert could not be read" for each open alert whose row cannot be read, and notes with it that the row counts
 * as open no more. The row stays as it is (clinical.md section 0, P4). Only a person ends it.
 */
export function raiseUnreadable(run: Run): void {
  const { state, states } = run;
  for (const { id, siteId, patientId, deviceId } of state.unreadable.values()) {
    const raised = <Of extends Subject>(subject: Of, context: ChangeContext): Of => {
      context.writes.unreadable.push({ id, at: context.now });
      // Another one than a former one that a person has answered.
      const { record: _, ...technical } = subject.technical;
      const active = [{ ...unreadableAlert, since: context.now }];
      return applyActive({ ...subject, technical }, 'record', active, context);
    };
    const patient = patientId === null ? undefined : states.patient(patientId);
    if (patient !== undefined) {
      evaluateFormerPatientAlone(run, patient, raised);
    } else if (deviceId !== null) {
      evaluateDeviceAlone(run, { siteId, deviceId }, raised);
    }
  }
}
