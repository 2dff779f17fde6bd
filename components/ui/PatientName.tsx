import Link from 'next/link';
import { formatCalendarDate } from '../../lib/time/formatTime';
import { paths } from '../../lib/paths';
import type { Patient } from '../../lib/patients/schema';

/** "Okafor, Ada": the family name first, as ward lists are read. */
export function patientName({ familyName, givenName }: Pick<Patient, 'familyName' | 'givenName'>): string {
  return `${familyName}, ${givenName}`;
}

/** "Okafor, Ada · MRN A-17 · born 02 Feb 1958": two identifiers beside the name, for what is opened over the page. */
export function patientIdentity(patient: Pick<Patient, 'familyName' | 'givenName' | 'mrn' | 'dateOfBirth'>): string {
  return `${patientName(patient)} · MRN ${patient.mrn} · born ${formatCalendarDate(patient.dateOfBirth)}`;
}

/** A patient's name as a link to the patient's details. */
export function PatientName({ patient }: { patient: Pick<Patient, 'id' | 'familyName' | 'givenName'> }) {
  return (
    <Link href={paths.patientDetails([patient.id])} prefetch={false}>
      {patientName(patient)}
    </Link>
  );
}
