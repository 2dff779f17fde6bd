/**
 * Returns the key by which names of units are compared: capitals do not matter, so that "icu" on a form does not become
 * a second ICU beside the first.
 */
export function unitKey(name: string): string {
  return name.normalize('NFC').trim().toLowerCase();
}
