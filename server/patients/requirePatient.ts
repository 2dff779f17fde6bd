import { notFound, Refusal } from '../http/refusal';
import type { Scope } from '../http/scope';
import type { PatientRow, Ward } from '../ward';

/** A patient within reach. Refuses with 404 what is beyond, in the same bytes as what does not exist. */
export function requirePatient(ward: Ward, id: number, scope: Scope): PatientRow {
  const patient = ward.patientInScope(id, scope);
  if (patient === null) {
    throw notFound();
  }
  return patient;
}

/** A patient within reach who is still here. Refuses as `requirePatient`, and with 409 `patient_discharged`. */
export function requireActivePatient(ward: Ward, id: number, scope: Scope): PatientRow {
  const patient = requirePatient(ward, id, scope);
  if (patient.state === 'discharged') {
    throw patientDischarged();
  }
  return patient;
}

/** The refusal of what concerns a patient who is not here any more. */
export const patientDischarged = (): Refusal => new Refusal(409, 'patient_discharged', 'This patient is discharged.');
