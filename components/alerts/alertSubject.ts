import type { AlertItem } from '../../lib/alerts/schema';
import { bedlessText } from '../../lib/patients/bedlessText';
import { patientName } from '../ui/PatientName';

/** Returns the name of the patient, the device or the unit that an alert is about. */
export function alertSubject({ patient, patientId, deviceName }: AlertItem): string {
  return patient !== null ? patientName(patient) : patientId === null ? (deviceName ?? 'Equipment') : 'Patient';
}

/** Returns where its patient is, with the MRN: two identifiers stay beside every alert. */
export function alertPlace({ patient, patientId, parameter, unitId }: AlertItem): string {
  if (patientId === null && parameter === 'report') {
    // Its subject is the unit, or the site.
    return unitId === null ? 'All units' : 'Whole unit';
  }
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
