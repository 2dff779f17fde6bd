import { notFound, HttpError } from '../http/httpError';
import type { Scope } from '../http/scope';
import type { LiveState } from '../liveState';
import type { PatientRow } from '../db/rows';

/** Returns a patient. Throws the same 404 if they do not exist or are out of reach. */
export function requirePatient(liveState: LiveState, id: number, scope: Scope): PatientRow {
  const patient = liveState.patientInScope(id, scope);
  if (patient === null) {
    throw notFound();
  }
  return patient;
}

/** Returns a patient who is not discharged. Throws as `requirePatient` does, and 409 `patient_discharged`. */
export function requireActivePatient(liveState: LiveState, id: number, scope: Scope): PatientRow {
  const patient = requirePatient(liveState, id, scope);
  if (patient.state === 'discharged') {
    throw patientDischarged();
  }
  return patient;
}

/** Returns the error for an action on a discharged patient. */
export const patientDischarged = (): HttpError =>
  new HttpError(409, 'patient_discharged', 'This patient is discharged.');
