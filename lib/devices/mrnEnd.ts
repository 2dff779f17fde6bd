/** How much of an MRN is shown to whom may not know whose it is. */
const shownCharacters = 3;

/**
 * Takes an MRN and returns its last three characters, enough to compare it with a wristband and too little to find
 * somebody by. Of a short one at least the first character stays unsaid.
 */
export function mrnEnd(mrn: string): string {
  const characters = [...mrn];
  return characters.slice(Math.max(1, characters.length - shownCharacters)).join('');
}
