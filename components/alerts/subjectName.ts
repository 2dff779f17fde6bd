import { patientName } from '../ui/PatientName';
import type { ListedAlert } from './useHeldAlerts';

/** Returns the name of the patient or of the device that an alert is about. */
export function subjectName({ alert, patient }: ListedAlert): string {
  return patient === null ? (alert.deviceName ?? 'Equipment') : patientName(patient);
}
