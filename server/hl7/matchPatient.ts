import type { OruPatient } from '../../lib/hl7/readOru';
import type { PatientRow } from '../db/rows';

export type Match = { patient: PatientRow } | { code: 'identity_conflict' | 'no_identifier' };

/**
 * Returns the one patient whom a message names by their MRN, or why there is none. `find` looks in the sender's site.
 * Only an identifier of the type MR counts: any other number may be that of a visit, and somebody else's MRN. All MRNs
 * of the message have to be this patient's. A birth date and a family name that are sent have to be theirs too, so that
 * a damaged digit, or a monitor that is still on the patient before, reaches no one. The bed never decides.
 */
export function matchPatient(
  { identifiers, hasIdentifier, isReadable, birthDate, familyName }: OruPatient,
  find: (mrn: string) => PatientRow | null,
): Match {
  if (!isReadable) {
    return { code: 'identity_conflict' };
  }
  if (!hasIdentifier) {
    return { code: 'no_identifier' };
  }
  const mrns = new Set(identifiers.flatMap(({ id, type }) => (type === 'MR' ? [id.normalize('NFC')] : [])));
  const [mrn, ...others] = mrns;
  const patient = mrn === undefined || others.length > 0 ? null : find(mrn);
  const isTheirs =
    patient?.state === 'active' &&
    (birthDate === null || birthDate === patient.date_of_birth) &&
    (familyName === null || nameKey(familyName) === nameKey(patient.family_name));
  return patient !== null && isTheirs ? { patient } : { code: 'identity_conflict' };
}

/** Senders write names in capitals (of ß these are SS), and without accents where their character set lacks them. */
function nameKey(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/[\s'’-]+/g, ' ')
    .trim();
}
