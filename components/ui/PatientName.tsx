import Link from 'next/link';
import { paths } from '../../lib/paths';
import type { Patient } from '../../lib/patients/schema';

/** "Okafor, Ada": the family name first, as ward lists are read. */
export function patientName({ familyName, givenName }: Pick<Patient, 'familyName' | 'givenName'>): string {
  return `${familyName}, ${givenName}`;
}

/** A patient's name as a link to the patient's details. */
export function PatientName({ patient }: { patient: Pick<Patient, 'id' | 'familyName' | 'givenName'> }) {
  return (
    <Link href={paths.patientDetails([patient.id])} prefetch={false}>
      {patientName(patient)}
    </Link>
  );
}
