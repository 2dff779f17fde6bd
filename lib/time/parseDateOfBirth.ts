import { isCalendarDate } from './parseInstant';

/** How a date in figures is read, as a site writes it: 11/2/1958 is 11 Feb with the day first. */
export const dateOrders = ['day_first', 'month_first'] as const;
export type DateOrder = (typeof dateOrders)[number];

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const fullMonths = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** No one who was born in an earlier year is alive. */
const oldestYear = 1900;

/** The calendar date "1958-02-11", or what is wrong with the text, as it follows the field's label. */
export type ParsedDateOfBirth = { date: string } | { fault: string };

/**
 * Reads a date of birth as people type it: 11/2/1958, 11.2.1958 or 11 2 1958 in the site's order, 11 feb 1958, feb 11
 * 1958, 1958-02-11. `today` is a calendar date, after which no one was born. A year of two digits is refused, because
 * 58 may be two years.
 */
export function parseDateOfBirth(text: string, order: DateOrder, today: string): ParsedDateOfBirth {
  const parts = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(\d)(st|nd|rd|th)\b/g, '$1')
    .replace(/(\d)([a-z])/g, '$1 $2')
    .replace(/([a-z])(\d)/g, '$1 $2')
    .split(/[\s./,-]+/)
    .filter((part) => part !== '');
  if (parts.length === 0) {
    return { fault: 'Enter the date of birth' };
  }
  const found = readParts(parts, order);
  if (found === null) {
    const example = order === 'day_first' ? '11/2/1958' : '2/11/1958';
    return { fault: `is not a date such as ${example} or 11 Feb 1958` };
  }
  const { year, month, day } = found;
  if (year.length !== 4) {
    return { fault: 'needs a year of four digits, such as 1958' };
  }
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (!isCalendarDate(date)) {
    return { fault: Number(month) > 12 || month === '0' ? 'has no such month' : 'is not a day of that month' };
  }
  if (date > today) {
    return { fault: 'lies in the future' };
  }
  if (Number(year) < oldestYear) {
    return { fault: `is before ${oldestYear}` };
  }
  return { date };
}

/** Returns the three parts as figures, or null if they are not a day, a month and a year. */
function readParts(parts: readonly string[], order: DateOrder): { year: string; month: string; day: string } | null {
  const [first = '', second = '', third = ''] = parts;
  if (parts.length !== 3) {
    return null;
  }
  const named = parts.map(monthOf);
  const isFigures = (text: string, most: number): boolean => /^\d+$/.test(text) && text.length <= most;
  if (isFigures(first, 4) && first.length === 4 && isFigures(third, 2)) {
    const month = named[1] ?? second;
    return isFigures(month, 2) ? { year: first, month, day: third } : null;
  }
  const year = third;
  const byName: readonly [string, string] | null =
    named[1] != null ? [first, named[1]] : named[0] != null ? [second, named[0]] : null;
  const [day, month] = byName ?? (order === 'day_first' ? [first, second] : [second, first]);
  return isFigures(day, 2) && isFigures(month, 2) && isFigures(year, 4) ? { year, month, day } : null;
}

/** Returns the number of a month by its name or the first three letters of it, "sept" too; null if it is none. */
function monthOf(text: string): string | null {
  const index = fullMonths.indexOf(text);
  const short = months.indexOf(text === 'sept' ? 'sep' : text);
  const found = index === -1 ? short : index;
  return found === -1 ? null : String(found + 1);
}
