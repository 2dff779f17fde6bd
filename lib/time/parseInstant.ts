import { isInstant } from './isInstant';

const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Takes an ISO 8601 instant with an offset ("2026-05-01T10:00:00.250+02:00", "...Z") and returns epoch milliseconds,
 * or null when it is not one: no offset, a day that the month does not have, hour 24, second 60, an offset past 14 h,
 * a time before 1970 or after 9999 in UTC. `Date.parse` is not used because it turns 30 February into 2 March.
 */
export function parseInstant(text: string): number | null {
  if (!instantPattern.test(text)) {
    return null;
  }
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 7);
  const day = digits(text, 8, 10);
  const hour = digits(text, 11, 13);
  const minute = digits(text, 14, 16);
  const second = digits(text, 17, 19);
  if (
    year < 1970 ||
    month < 1 ||
    month > 12 ||
    hour > 23 ||
    minute > 59 ||
    second > 59 ||
    !isDayOfMonth(year, month, day)
  ) {
    return null;
  }
  const isUtc = text.endsWith('Z');
  const zoneAt = text.length - (isUtc ? 1 : 6);
  // What follows the milliseconds is cut off.
  const fractionEnd = Math.min(zoneAt, 23);
  const millisecond = digits(text, 20, fractionEnd) * 10 ** (23 - fractionEnd);
  let offsetMinutes = 0;
  if (!isUtc) {
    const offsetHour = digits(text, zoneAt + 1, zoneAt + 3);
    const offsetMinute = digits(text, zoneAt + 4, zoneAt + 6);
    if (offsetMinute > 59 || offsetHour * 60 + offsetMinute > 14 * 60) {
      return null;
    }
    offsetMinutes = (text[zoneAt] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  }
  const epoch = Date.UTC(year, month - 1, day, hour, minute, second, millisecond) - offsetMinutes * 60_000;
  return isInstant(epoch) ? epoch : null;
}

/**
 * Returns the number that the digits from one place to before another form. Rows of a ward need thousands a second: no
 * text is cut out for it.
 */
function digits(text: string, from: number, to: number): number {
  let number = 0;
  for (let place = from; place < to; place += 1) {
    number = number * 10 + text.charCodeAt(place) - 48;
  }
  return number;
}

/** Returns whether a text is a day that exists, as "YYYY-MM-DD". */
export function isCalendarDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  return match !== null && isDayOfMonth(Number(match[1]), Number(match[2]), Number(match[3]));
}

const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDayOfMonth(year: number, month: number, day: number): boolean {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (daysOfMonth[month - 1] ?? 0) + (leap ? 1 : 0);
}
