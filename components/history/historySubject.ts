import type { HistoryItem } from '../../lib/alerts/historySchema';
import { patientName } from '../ui/PatientName';

type Subject = Pick<HistoryItem, 'patient' | 'patientId' | 'deviceName' | 'parameter'>;

/** Returns the name of the patient or of the device that an alert is about, as far as the reader may see it. */
export function historySubject({ patient, patientId, deviceName }: Subject): string {
  return patient !== null ? patientName(patient) : patientId === null ? (deviceName ?? 'Equipment') : 'Patient';
}

/** Returns where the patient is now, with the MRN: parts that must not break. */
export function historyPlaceParts({ patient, patientId, parameter }: Subject): string[] {
  if (parameter === 'report') {
    return ['Issue report'];
  }
  if (patient === null) {
    return [patientId === null ? 'Equipment' : 'Name not shown'];
  }
  const { unit, bed, mrn } = patient;
  return [bed === null ? null : `Bed ${bed}`, unit, `MRN\u00a0${mrn}`].filter((part) => part !== null);
}

/** Returns the same as one text. */
export function historyPlace(subject: Subject): string {
  return historyPlaceParts(subject).join(' · ');
}
