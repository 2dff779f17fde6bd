import { notFound, HttpError } from '../http/httpError';
import type { Scope } from '../http/scope';
import type { LiveState } from '../liveState';
import type { PatientRow } from '../db/rows';

/** A patient within reach. Refuses with 404 what is beyond, in the same bytes as what does not exist. */
export function requirePatient(liveState: LiveState, id: number, scope: Scope): PatientRow {
  const patient = liveState.patientInScope(id, scope);
  if (patient === null) {
    throw notFound();
  }
  return patient;
}

/** A patient within reach who is still here. Refuses as `requirePatient`, and with 409 `patient_discharged`. */
export function requireActivePatient(liveState: LiveState, id: number, scope: Scope): PatientRow {
  const patient = requirePatient(liveState, id, scope);
  if (patient.state === 'discharged') {
    throw patientDischarged();
  }
  return patient;
}

/** The refusal of what concerns a patient who is not here any more. */
export const patientDischarged = (): HttpError =>
  new HttpError(409, 'patient_discharged', 'This patient is discharged.');
