import type { EpochMs } from '../time/epochMs';
import { isInstant } from '../time/isInstant';
import { offsetAt } from '../time/offsetAt';
import { isCalendarDate } from '../time/parseInstant';

const pattern = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(?:(\d\d)(?:\.(\d{1,9}))?)?(?:([+-])(\d\d)(\d\d))?$/;
const dayMs = 86_400_000;

/** What a time without a zone is read by. */
export interface SiteTime {
  /** IANA name of the site's zone. */
  timeZone: string;
  receivedAt: EpochMs;
}

/**
 * Returns the instant of an HL7 time (TS, DTM: YYYYMMDDHHMM[SS[.S[S[S[S]]]]][+/-ZZZZ]), or null if it is none: without
 * minutes, a day or an hour that does not exist, second 60, an offset past 14 h, before 1970. Digits after the
 * milliseconds are cut off.
 *
 * Without a zone it is the site's. In the hour that clocks show twice it is the reading nearer to `receivedAt`. In the
 * hour that they skip, the sender's clock was not changed with the site's: before or after, so that two offsets are
 * possible again, and again the nearer one is taken. A late value then gets the offset before the change, as of a clock
 * that runs on.
 */
export function parseTime(text: string, { timeZone, receivedAt }: SiteTime): EpochMs | null {
  const match = pattern.exec(text);
  if (match === null) {
    return null;
  }
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '0', fraction = '', sign] = match;
  if (
    !isCalendarDate(`${year}-${month}-${day}`) ||
    Number(hour) > 23 ||
    Number(minute) > 59 ||
    Number(second) > 59 ||
    Number(year) < 1970
  ) {
    return null;
  }
  const wall =
    Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)) +
    Number(fraction.slice(0, 3).padEnd(3, '0'));
  if (sign !== undefined) {
    const [zoneHour, zoneMinute] = [Number(match[9]), Number(match[10])];
    const zoneMs = (zoneHour * 60 + zoneMinute) * 60_000;
    const at = sign === '-' ? wall + zoneMs : wall - zoneMs;
    return zoneMinute <= 59 && zoneMs <= 14 * 3_600_000 && isInstant(at) ? at : null;
  }
  const at = instantOfWall(wall, timeZone, receivedAt);
  return isInstant(at) ? at : null;
}

function instantOfWall(wall: number, timeZone: string, receivedAt: EpochMs): EpochMs {
  // A zone changes its offset at most once within two days, so one of these is right.
  const before = wall - offsetAt(wall - dayMs, timeZone);
  const after = wall - offsetAt(wall + dayMs, timeZone);
  if (before === after) {
    return before;
  }
  const isShown = (at: EpochMs): boolean => at + offsetAt(at, timeZone) === wall;
  if (isShown(before) !== isShown(after)) {
    return isShown(before) ? before : after;
  }
  return Math.abs(before - receivedAt) <= Math.abs(after - receivedAt) ? before : after;
}
