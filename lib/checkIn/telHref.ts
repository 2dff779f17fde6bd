/**
 * Returns the address with which a phone dials a number, or null for a text that is not one number ("112 or 999"): a
 * phone would dial all of its digits.
 */
export function telHref(number: string): string | null {
  return /^\+?[\d\s().*#/-]{2,}$/.test(number) && /\d{2}/.test(number)
    ? `tel:${number.replace(/\(0\)/g, '').replace(/[^\d+*#]/g, '')}`
    : null;
}
