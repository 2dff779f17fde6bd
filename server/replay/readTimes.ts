import { isCalendarDate } from '../../lib/time/parseInstant';
import { readNumber } from './readNumber';

const hourMs = 3_600_000;

/** ICULOS counts hours. */
const unitText = /^([\d.]*) ?(?:(ms)|(s|secs?|seconds?)|(m|mins?|minutes?)|(h|hours?|iculos))$/i;

/** Returns the milliseconds of "s", "minutes" or "0.5 sec", or null if the text is no unit of time. */
export function unitMsOf(text: string): number | null {
  const [, count = '', ...unit] = unitText.exec(text.trim()) ?? [];
  const ms = [1, 1_000, 60_000, hourMs][unit.findIndex((one) => one !== undefined)];
  return ms === undefined ? null : ms * (count === '' ? 1 : Number(count));
}

/** A larger number is of milliseconds since 1970: as seconds it would be in the year 5138. */
const largestSeconds = 1e11;

/** Returns those that are readable, in their order. */
const inOrder = (times: readonly number[]): number[] => times.filter((at) => !Number.isNaN(at)).sort((a, b) => a - b);

/**
 * Returns when each text is, in milliseconds on one scale; NaN: not readable. Only differences count, so a time
 * without a zone is read as UTC. Takes numbers in a unit (seconds, or milliseconds if they are that large), instants,
 * dates and times in the order of each country, before or after one another, with AM and PM, and times alone, which go
 * on after midnight. Where day and month may be either, the reading counts by which more of the texts are dates, and
 * then the one by which the recording is shorter.
 */
export function readTimes(texts: readonly string[], unitMs: number | null): number[] {
  const numbers = texts.map((text) => Number(readNumber(text.trim().replace(',', '.'))));
  if (numbers.some((number) => !Number.isNaN(number))) {
    const factor = unitMs ?? (numbers.some((number) => Math.abs(number) > largestSeconds) ? 1 : 1_000);
    return numbers.map((number) => number * factor);
  }
  const parts = texts.map(partsOf);
  const readings = [true, false].map((isDayFirst) => parts.map(({ date, ms }) => dayOf(date, isDayFirst) + ms));
  readings.push(afterOneAnother(parts.map(({ date, ms }) => (date.length === 0 ? ms : NaN))));
  const [best = []] = readings.sort((a, b) => {
    const [left, right] = [inOrder(a), inOrder(b)];
    return right.length === left.length ? lengthOf(left) - lengthOf(right) : right.length - left.length;
  });
  return best;
}

const lengthOf = (known: readonly number[]): number => (known.at(-1) ?? 0) - (known[0] ?? 0);

/** Returns the time between two rows that is usual, in milliseconds, at least a second; of a single row, the unit. */
export function usualInterval(times: readonly number[], unitMs: number | null): number {
  const known = [...new Set(inOrder(times))];
  const gaps = inOrder(known.map((at, index) => (known[index + 1] ?? NaN) - at));
  return Math.max(1_000, Math.round(gaps[Math.floor(gaps.length / 2)] ?? unitMs ?? 0));
}

/** Times of the day one after another: more than half a day back is the next day, and forward the day before. */
function afterOneAnother(times: readonly number[]): number[] {
  let [days, before] = [0, NaN];
  return times.map((at) => {
    const step = Math.ceil((at - before) / (24 * hourMs) - 0.5);
    days -= Number.isNaN(step) ? 0 : step;
    before = Number.isNaN(at) ? before : at;
    return at + days * 24 * hourMs;
  });
}

/** "10:38:13PM", "4:46:58 p.m.", "22:00", "22:00:01.250", and a zone behind it. */
const clock =
  /(\d{1,3}):([0-5]?\d)(?::([0-5]\d)(?:[.,](\d+))?)?(?:\s*([ap])\.?m\.?)?\s*(?:z|utc|gmt)?\s*(?:([+-]\d\d):?(\d\d))?/i;
/** WFDB writes the first hour of what has elapsed so: "10:02.500". */
const minutesAndSeconds = /^\d{1,2}:\d\d[.,]\d{1,9}$/;

/** Returns the words of a text's date, and its time of the day, which may be what has elapsed; NaN: no time. */
function partsOf(text: string): { date: string[]; ms: number } {
  const plain = text
    .replaceAll(/^[['"\s]+|[\]'"\s]+$/g, '')
    .replace(/(?<=\d)T(?=\d)/, ' ')
    .replace(minutesAndSeconds, '0:$&');
  const [whole = '', hour = '0', minute = '0', second = '0', fraction = '0', half = '', ...zone] =
    clock.exec(plain) ?? [];
  const [zoneHours = '0', zoneMinutes = '0'] = zone;
  const date = plain.replace(whole, ' ').match(/[^-/.,\s]+/g) ?? [];
  const mostHours = half !== '' ? 12 : date.length > 0 ? 23 : plain === '' ? -1 : Infinity;
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const minutes = (hours - Number(zoneHours)) * 60 + Number(minute) - Number(zoneHours.slice(0, 1) + zoneMinutes);
  const ms = minutes * 60_000 + Math.round(Number(`${second}.${fraction.slice(0, 3)}`) * 1_000);
  return { date, ms: Number(hour) > mostHours ? NaN : ms };
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Takes the words of "2027-05-01", "1.5.2027", "5/1/27", "May 01, 2027" and "1 May 2027". */
function dayOf([first = '', second = '', third = '', ...more]: readonly string[], isDayFirst: boolean): number {
  const isYearFirst = first.length === 4;
  const [year, a, b] = isYearFirst ? [first, second, third] : [third, first, second];
  const [month, day] = isDayFirst && !isYearFirst ? [b, a] : [a, b];
  const named = months.indexOf(month.slice(0, 3).toLowerCase());
  const two = (number: string): string => number.padStart(2, '0');
  const iso = `${year.length === 2 ? '20' : ''}${year}-${two(named < 0 ? month : String(named + 1))}-${two(day)}`;
  return more.length === 0 && isCalendarDate(iso) ? Date.parse(iso) : NaN;
}
