import { fullName } from '../../lib/patients/fullName';
import Link from 'next/link';
import { formatCalendarDate } from '../../lib/time/formatTime';
import { markTrial } from '../../lib/patients/markTrial';
import { paths } from '../../lib/paths';
import type { Patient } from '../../lib/patients/schema';

type Named = Pick<Patient, 'familyName' | 'givenName' | 'isTrial'>;

/** "Okafor, Ada": the family name first, as ward lists are read; with its mark for a trial patient. */
export function patientName({ familyName, givenName, isTrial }: Named): string {
  return markTrial(fullName(familyName, givenName), { isTrial });
}

/** "Okafor, Ada · MRN A-17 · born 02 Feb 1958": two identifiers beside the name, for what is opened over the page. */
export function patientIdentity(patient: Named & Pick<Patient, 'mrn' | 'dateOfBirth'>): string {
  return `${patientName(patient)} · MRN ${patient.mrn} · born ${formatCalendarDate(patient.dateOfBirth)}`;
}

/** A patient's name as a link to the patient's details. */
export function PatientName({ patient }: { patient: Named & Pick<Patient, 'id'> }) {
  return (
    <Link href={paths.patientDetails([patient.id])} prefetch={false}>
      {patientName(patient)}
    </Link>
  );
}
