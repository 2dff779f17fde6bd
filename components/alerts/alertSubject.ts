import type { AlertItem } from '../../lib/alerts/schema';
import { bedlessText } from '../../lib/patients/bedlessText';
import { patientName } from '../ui/PatientName';

/** Returns the name of the patient or of the device that an alert is about. */
export function alertSubject({ patient, patientId, deviceName }: AlertItem): string {
  return patient !== null ? patientName(patient) : patientId === null ? (deviceName ?? 'Equipment') : 'Patient';
}

/** Returns where its patient is, with the MRN: two identifiers stay beside every alert. */
export function alertPlace({ patient, patientId }: AlertItem): string {
  if (patient === null) {
    return patientId === null ? 'Equipment' : 'Name not shown';
  }
  return `${placeWords(patient)} · MRN ${patient.mrn}`;
}

/** Returns "Step-down 2 · Bed S3", or "At home". */
export function placeWords({ unit, bed, profile }: NonNullable<AlertItem['patient']>): string {
  const place = [unit, bed === null ? null : `Bed ${bed}`].filter((part) => part !== null);
  return place.length === 0 ? bedlessText(profile) : place.join(' · ');
}
