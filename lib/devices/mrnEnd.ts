/** How many characters of an MRN are shown to users who may not know the patient. */
const shownCharacters = 3;

/**
 * Returns the last three characters of an MRN: enough to compare it with a wristband, too few to find a person by. Of a
 * short MRN at least the first character is left out.
 */
export function mrnEnd(mrn: string): string {
  const characters = [...mrn];
  return characters.slice(Math.max(1, characters.length - shownCharacters)).join('');
}
