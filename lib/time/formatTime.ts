import { dayOf } from './dayOf';

/** Formatters are kept because making one takes far longer than using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known !== undefined) {
    return known;
  }
  const made = new Intl.DateTimeFormat('en-GB', { timeZone, hourCycle: 'h23', ...options });
  formatters.set(key, made);
  return made;
}

/** "14:05" in the site's zone. */
export function formatTime(epochMs: number, timeZone: string): string {
  return formatter(timeZone, { hour: '2-digit', minute: '2-digit' }).format(epochMs);
}

/** "14:05:09" in the site's zone. */
export function formatTimeWithSeconds(epochMs: number, timeZone: string): string {
  return formatter(timeZone, { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(epochMs);
}

/** A date in words. British English has "Sept": cut to three letters like the other months, so that dates align. */
function dateWords(epochMs: number, timeZone: string, options: Intl.DateTimeFormatOptions): string {
  return formatter(timeZone, { day: '2-digit', month: 'short', ...options })
    .formatToParts(epochMs)
    .map(({ type, value }) => (type === 'month' ? value.slice(0, 3) : value))
    .join('');
}

/** "07 Mar 2026" in the site's zone. */
export function formatDate(epochMs: number, timeZone: string): string {
  return dateWords(epochMs, timeZone, { year: 'numeric' });
}

/** "07 Mar 2026, 14:05:09" in the site's zone. */
export function formatDateAndSeconds(epochMs: number, timeZone: string): string {
  return `${formatDate(epochMs, timeZone)}, ${formatTimeWithSeconds(epochMs, timeZone)}`;
}

/** "07 Mar, 14:05" in the site's zone, for instants that are not of today. */
export function formatDayAndTime(epochMs: number, timeZone: string): string {
  return `${dateWords(epochMs, timeZone, {})}, ${formatTime(epochMs, timeZone)}`;
}

/** How near an instant is whose clock time alone says which day it was, in milliseconds. */
const withoutDayMs = 12 * 3_600_000;

/** "14:05", and "06 Mar, 14:05" for an instant that is more than 12 h from `now`. */
export function formatClock(epochMs: number, now: number, timeZone: string): string {
  return Math.abs(now - epochMs) < withoutDayMs ? formatTime(epochMs, timeZone) : formatDayAndTime(epochMs, timeZone);
}

/** The zone's label at that instant, "BST" or "GMT+2": it distinguishes the two hours of a clock change. */
export function zoneLabel(epochMs: number, timeZone: string): string {
  const part = formatter(timeZone, { timeZoneName: 'short' })
    .formatToParts(epochMs)
    .find(({ type }) => type === 'timeZoneName');
  return part?.value ?? timeZone;
}

/** A calendar date "1950-12-31" as "31 Dec 1950"; no zone is involved. */
export function formatCalendarDate(date: string): string {
  return dateWords(Date.parse(`${date}T00:00:00Z`), 'UTC', { year: 'numeric' });
}

/** Takes an age in milliseconds and returns "4 s", "3 min", "5 h" or "6 d": whole units, rounded down. */
export function formatAge(ageMs: number): string {
  const seconds = Math.max(0, Math.floor(ageMs / 1000));
  if (seconds < 60) {
    return `${seconds} s`;
  }
  if (seconds < 3_600) {
    return `${Math.floor(seconds / 60)} min`;
  }
  if (seconds < 86_400) {
    return `${Math.floor(seconds / 3_600)} h`;
  }
  return `${Math.floor(seconds / 86_400)} d`;
}

/**
 * Takes by how much a clock is wrong in milliseconds, ahead or behind, and returns "45 s", "90 min", "3 h" or "4 d": to
 * the nearest unit, because what is measured of one hour is a little less or more than that.
 */
export function formatOffset(offsetMs: number): string {
  const seconds = Math.round(Math.abs(offsetMs) / 1_000);
  const minutes = Math.round(seconds / 60);
  const hours = Math.round(seconds / 3_600);
  if (seconds < 60) {
    return `${seconds} s`;
  }
  // Between one hour and two the nearest hour would say too little.
  if (minutes < 120 && minutes !== 60) {
    return `${minutes} min`;
  }
  return hours < 48 ? `${hours} h` : `${Math.round(seconds / 86_400)} d`;
}

/**
 * Takes a delay in milliseconds and returns "0.8 s", "12 s" or "3 min": rounded up, so that it never looks shorter than
 * it was.
 */
export function formatDelay(delayMs: number): string {
  const tenths = Math.ceil(Math.max(0, delayMs) / 100);
  if (tenths < 100) {
    return `${(tenths / 10).toFixed(1)} s`;
  }
  const seconds = Math.ceil(delayMs / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
}

/** The calendar day of the last minute that was asked for: a list asks for the age of each patient, once a second. */
let lastDay: { minute: number; timeZone: string; day: string } | null = null;

/** Returns the calendar day of an instant. Days begin with a minute in every zone. */
function keptDayOf(epochMs: number, timeZone: string): string {
  const minute = Math.floor(epochMs / 60_000);
  if (lastDay?.minute !== minute || lastDay.timeZone !== timeZone) {
    lastDay = { minute, timeZone, day: dayOf(minute * 60_000, timeZone) };
  }
  return lastDay.day;
}

/** Whole years between a date of birth and an instant, counted on the site's calendar. */
export function ageInYears(dateOfBirth: string, now: number, timeZone: string): number {
  const [year = 0, month = 0, day = 0] = keptDayOf(now, timeZone).split('-').map(Number);
  const [birthYear = 0, birthMonth = 0, birthDay = 0] = dateOfBirth.split('-').map(Number);
  const hadBirthday = month > birthMonth || (month === birthMonth && day >= birthDay);
  return year - birthYear - (hadBirthday ? 0 : 1);
}
