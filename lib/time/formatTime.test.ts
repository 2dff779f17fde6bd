import fc from 'fast-check';
import {
  ageInYears,
  formatAge,
  formatOffset,
  formatCalendarDate,
  formatDate,
  formatDayAndTime,
  formatDelay,
  formatTime,
  formatTimeWithSeconds,
  zoneLabel,
} from './formatTime';

// 25 October 2026: clocks go back in London at 01:00 UTC, in Berlin too.
const beforeChange = Date.UTC(2026, 9, 25, 0, 30);
const afterChange = Date.UTC(2026, 9, 25, 1, 30);

describe('times of day', () => {
  it.each([
    ['midnight, which is 00 and never 24', Date.UTC(2026, 2, 7), 'UTC', '00:00', '00:00:00'],
    ['noon', Date.UTC(2026, 2, 7, 12), 'UTC', '12:00', '12:00:00'],
    ['the last second of a day', Date.UTC(2026, 2, 7, 23, 59, 59, 999), 'UTC', '23:59', '23:59:59'],
    ['summer time', Date.UTC(2026, 6, 1, 12), 'Europe/London', '13:00', '13:00:00'],
    ['a zone of half an hour', Date.UTC(2026, 2, 7, 12), 'Asia/Kolkata', '17:30', '17:30:00'],
  ])('writes %s', (_, instant, zone, short, long) => {
    expect(formatTime(instant, zone)).toBe(short);
    expect(formatTimeWithSeconds(instant, zone)).toBe(long);
  });

  it('distinguishes the two hours of a clock change by their label', () => {
    expect(formatTime(beforeChange, 'Europe/London')).toBe('01:30');
    expect(formatTime(afterChange, 'Europe/London')).toBe('01:30');
    expect(zoneLabel(beforeChange, 'Europe/London')).toBe('BST');
    expect(zoneLabel(afterChange, 'Europe/London')).toBe('GMT');
    expect(zoneLabel(beforeChange, 'Europe/Berlin')).not.toBe(zoneLabel(afterChange, 'Europe/Berlin'));
  });

  it('refuses an unknown zone', () => {
    expect(() => formatTime(0, 'Mars/Olympus')).toThrow(RangeError);
  });
});

describe('dates', () => {
  it('follows the zone over midnight', () => {
    const instant = Date.UTC(2026, 2, 7, 23, 30);
    expect(formatDate(instant, 'UTC')).toBe('07 Mar 2026');
    expect(formatDate(instant, 'Europe/Berlin')).toBe('08 Mar 2026');
    expect(formatDayAndTime(instant, 'Europe/Berlin')).toBe('08 Mar, 00:30');
  });

  it.each(['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'])(
    'writes %s in three letters everywhere',
    (month) => {
      const instant = Date.parse(`7 ${month} 2026 14:05 UTC`);
      expect(formatDate(instant, 'UTC')).toBe(`07 ${month} 2026`);
      expect(formatDayAndTime(instant, 'UTC')).toBe(`07 ${month}, 14:05`);
      expect(formatCalendarDate(new Date(instant).toISOString().slice(0, 10))).toBe(`07 ${month} 2026`);
    },
  );

  it.each([
    ['1950-12-31', '31 Dec 1950'],
    ['2000-02-29', '29 Feb 2000'],
    ['1901-01-01', '01 Jan 1901'],
  ])('writes the calendar date %s as %s, in whatever zone it is read', (date, text) => {
    expect(formatCalendarDate(date)).toBe(text);
  });
});

describe('formatAge', () => {
  it.each([
    [-5_000, '0 s'],
    [0, '0 s'],
    [999, '0 s'],
    [1_000, '1 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_599_999, '59 min'],
    [3_600_000, '1 h'],
    [86_399_999, '23 h'],
    [86_400_000, '1 d'],
    [7 * 86_400_000, '7 d'],
    [400 * 86_400_000, '400 d'],
  ])('writes %d ms as %s', (age, text) => {
    expect(formatAge(age)).toBe(text);
  });

  it('never makes a value look older than it is', () => {
    const unit: Record<string, number> = { s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), (age) => {
        const [count, name = ''] = formatAge(age).split(' ');
        const shown = Number(count) * (unit[name] ?? Number.NaN);
        expect(shown).toBeLessThanOrEqual(age);
        expect(age - shown).toBeLessThan(unit[name] ?? Number.NaN);
      }),
    );
  });
});

describe('formatOffset', () => {
  it.each([
    ['59 min 59.6 s, measured of an hour', 3_599_600, '1 h'],
    ['59 min 31 s', 3_571_000, '1 h'],
    ['an hour behind', -3_600_400, '1 h'],
    ['an hour and a half', 5_400_000, '90 min'],
    ['2 h less a second', 7_199_000, '2 h'],
    ['a day', 86_399_700, '24 h'],
    ['two days', -172_799_000, '2 d'],
    ['59.4 s', 59_400, '59 s'],
    ['59.6 s', 59_600, '1 min'],
    ['nothing', 0, '0 s'],
  ])('is of %s to the nearest unit', (_what, offsetMs, text) => {
    expect(formatOffset(offsetMs)).toBe(text);
  });
});

describe('formatDelay', () => {
  it.each([
    [-5_000, '0.0 s'],
    [0, '0.0 s'],
    [1, '0.1 s'],
    [2_300, '2.3 s'],
    [2_301, '2.4 s'],
    [9_900, '9.9 s'],
    [9_901, '10 s'],
    [59_000, '59 s'],
    [59_001, '1 min'],
    [60_001, '2 min'],
    [7_200_000, '120 min'],
  ])('%d ms is "%s"', (delay, text) => {
    expect(formatDelay(delay)).toBe(text);
  });
});

describe('ageInYears', () => {
  it.each([
    ['the day before the birthday', '1950-12-31', Date.UTC(2026, 11, 30, 12), 'UTC', 75],
    ['the birthday', '1950-12-31', Date.UTC(2026, 11, 31, 0), 'UTC', 76],
    ['the birthday in the east, while UTC is a day behind', '1950-12-31', Date.UTC(2026, 11, 30, 20), 'Asia/Tokyo', 76],
    ['the day of birth', '2026-05-01', Date.UTC(2026, 4, 1, 10), 'UTC', 0],
    ['28 February of one born on the 29th', '2000-02-29', Date.UTC(2026, 1, 28, 12), 'UTC', 25],
    ['1 March of one born on 29 February', '2000-02-29', Date.UTC(2026, 2, 1, 12), 'UTC', 26],
  ])('counts whole years on %s', (_, born, now, zone, years) => {
    expect(ageInYears(born, now, zone)).toBe(years);
  });
});
