const decimal = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * Takes the text of one cell and returns its number, 'none' where it is empty or NaN, or 'unreadable'. Zero is a
 * number, "-0" is 0.
 */
export function readNumber(text: string | undefined): number | 'none' | 'unreadable' {
  if (text === undefined || text === '' || text.toLowerCase() === 'nan') {
    return 'none';
  }
  const number = decimal.test(text) ? Number(text) + 0 : NaN;
  return Number.isFinite(number) ? number : 'unreadable';
}
