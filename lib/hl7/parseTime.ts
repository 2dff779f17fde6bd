import { remember } from '../remember';
import type { EpochMs } from '../time/epochMs';
import { isInstant } from '../time/isInstant';
import { offsetAt } from '../time/offsetAt';
import { isCalendarDate } from '../time/parseInstant';

const pattern = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(?:(\d\d)(?:\.(\d{1,9}))?)?(?:([+-])(\d\d)(\d\d))?$/;
const [dayMs, hourMs] = [86_400_000, 3_600_000];

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
 * hour that they skip it is none: the sender's clock or zone is another one.
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
  return at !== null && isInstant(at) ? at : null;
}

function instantOfWall(wall: number, timeZone: string, receivedAt: EpochMs): EpochMs | null {
  // A zone changes its offset at most once within two days, so both readings are among these.
  const [first, second] = [wall - dayMs, wall + dayMs]
    .map((near) => wall - offsetOf(near, timeZone))
    .filter((at) => at + offsetOf(at, timeZone) === wall);
  if (first === undefined || second === undefined) {
    return first ?? null;
  }
  return Math.abs(first - receivedAt) <= Math.abs(second - receivedAt) ? first : second;
}

/** The offsets of a zone by hour, null where it changes within: a time without a zone asks for four. */
const offsetsOf = remember(
  (timeZone: string) =>
    remember((hour: number) => {
      const first = offsetAt(hour * hourMs, timeZone);
      return offsetAt((hour + 1) * hourMs - 1, timeZone) === first ? first : null;
    }, 500),
  50,
);

/** Returns what `offsetAt` returns, of an hour without a change at once: to ask the platform takes 11 us. */
const offsetOf = (at: EpochMs, timeZone: string): number =>
  offsetsOf(timeZone)(Math.floor(at / hourMs)) ?? offsetAt(at, timeZone);
