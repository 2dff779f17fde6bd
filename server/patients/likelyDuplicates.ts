import unhomoglyph from 'unhomoglyph';
import { fold } from '../../lib/patients/matchesText';
import type { NewPatient } from '../../lib/patients/schema';
import type { PatientRow } from '../db/rows';

/** Characters by what they look like (UTS 39): a site has few of them, and to find one takes a while. */
const looks = new Map<string, string>();

function lookOf(character: string): string {
  const look = looks.get(character) ?? unhomoglyph(character);
  looks.set(character, look);
  return look;
}

/** Returns the value of a decimal digit of any script: digits stand in rows of ten. */
function digitOf(digit: string): string {
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint((digit.codePointAt(0) ?? 0) - before - 1))) {
    before += 1;
  }
  return String(before % 10);
}

/**
 * Returns what two MRNs have in common that look alike: compatible characters, case, decimal digits of any script and
 * the skeleton of UTS 39 are one; blanks, hyphens and invisible characters do not count.
 */
export function lookOfMrn(mrn: string): string {
  const plain = mrn
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\p{Nd}/gu, digitOf);
  return [...plain.normalize('NFD').replaceAll(/[\s\p{Pd}\p{Cf}]/gu, '')]
    .map(lookOf)
    .join('')
    .normalize('NFD')
    .toLowerCase();
}

/** Returns who has this name, in either order. */
const nameKey = (familyName: string, givenName: string): string => [fold(familyName), fold(givenName)].sort().join(' ');

/** Returns the patients who are likely the one to be added: of the same name and birth, or with a look-alike MRN. */
export function likelyDuplicates(
  patients: Iterable<PatientRow>,
  { mrn, familyName, givenName, dateOfBirth }: NewPatient,
): { byNumber: PatientRow[]; byName: PatientRow[] } {
  const rows = [...patients];
  const [look, name] = [lookOfMrn(mrn), nameKey(familyName, givenName)];
  return {
    byNumber: rows.filter((row) => lookOfMrn(row.mrn) === look),
    byName: rows.filter(
      (row) => row.date_of_birth === dateOfBirth && nameKey(row.family_name, row.given_name) === name,
    ),
  };
}
