/**
 * Returns the key by which names of units, beds and devices are compared: what looks alike is one name, so that "icu"
 * on a form does not become a second ICU beside the first. Capitals, the width of characters and of gaps, and
 * characters that no one sees do not matter.
 */
export function unitKey(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
