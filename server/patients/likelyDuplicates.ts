import unhomoglyph from 'unhomoglyph';
import { digitOf, namesAgree, withAndWithoutZeros } from '../../lib/patients/names';
import type { NewPatient } from '../../lib/patients/schema';
import type { PatientRow } from '../db/rows';

/** Characters by what they look like (UTS 39): a site has few of them, and to find one takes a while. */
const looks = new Map<string, string>();

function lookOf(character: string): string {
  const look = looks.get(character) ?? unhomoglyph(character);
  looks.set(character, look);
  return look;
}

/**
 * Returns what two MRNs that look alike have in common: compatible characters, case, decimal digits of any script and
 * the skeleton of UTS 39 are one; blanks, hyphens, invisible characters and the leading zeros of a number do not count.
 */
function looksOfMrn(mrn: string): string[] {
  const plain = mrn
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\p{Nd}/gu, digitOf)
    .normalize('NFD')
    .replaceAll(/[\s\p{Pd}\p{Cf}]/gu, '');
  return withAndWithoutZeros(plain).map((number) => [...number].map(lookOf).join('').normalize('NFD').toLowerCase());
}

/** Returns whether two names are one; a person may have no given name. */
const isOneName = (name: string, other: string): boolean =>
  name === '' ? other === '' : namesAgree(name, other) || namesAgree(other, name);

/** Returns the patients who are likely the one to be added: of the same name and birth, or with a look-alike MRN. */
export function likelyDuplicates(
  patients: Iterable<PatientRow>,
  { mrn, familyName, givenName, dateOfBirth }: Pick<NewPatient, 'mrn' | 'familyName' | 'givenName' | 'dateOfBirth'>,
): { byNumber: PatientRow[]; byName: PatientRow[] } {
  const rows = [...patients];
  const looks = looksOfMrn(mrn);
  return {
    byNumber: rows.filter((row) => looksOfMrn(row.mrn).some((look) => looks.includes(look))),
    byName: rows.filter(
      ({ date_of_birth, family_name, given_name }) =>
        date_of_birth === dateOfBirth &&
        ((isOneName(familyName, family_name) && isOneName(givenName, given_name)) ||
          (isOneName(familyName, given_name) && isOneName(givenName, family_name))),
    ),
  };
}

/** Returns the pairs of these patients about whom the admission would ask, if one of the two is not discharged. */
export function likelyPairs(patients: Iterable<PatientRow>): PatientRow[][] {
  // By what both have in common, because a site has too many patients to compare each with all.
  const earlier = new Map<string, PatientRow[]>();
  return [...patients].flatMap((row) => {
    const { mrn, family_name: familyName, given_name: givenName, date_of_birth: dateOfBirth, state } = row;
    const keys = [...looksOfMrn(mrn), `born ${dateOfBirth}`];
    const near = new Set(keys.flatMap((key) => earlier.get(key) ?? []));
    keys.forEach((key) => earlier.set(key, [...(earlier.get(key) ?? []), row]));
    const { byNumber, byName } = likelyDuplicates(near, { mrn, familyName, givenName, dateOfBirth });
    const pairs = [...new Set([...byNumber, ...byName])].map((other) => [other, row]);
    return pairs.filter(([other]) => state === 'active' || other?.state === 'active');
  });
}
