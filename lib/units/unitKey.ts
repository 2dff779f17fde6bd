/**
 * Takes the name of a unit as somebody typed it and returns what tells it from others: small and large letters are the
 * same unit, so that "icu" on a form does not become a second ICU beside the first.
 */
export function unitKey(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}
