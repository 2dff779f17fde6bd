const decimal = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * Returns the number of a cell's text, 'none' if it is empty or NaN, or 'unreadable'. Zero is a number, "-0" is 0.
 */
export function readNumber(text: string | undefined): number | 'none' | 'unreadable' {
  if (text === undefined || text === '' || text.toLowerCase() === 'nan') {
    return 'none';
  }
  const number = decimal.test(text) ? Number(text) + 0 : NaN;
  return Number.isFinite(number) ? number : 'unreadable';
}
