import fc from 'fast-check';
import { dayOf } from './dayOf';
import {
  ageInYears,
  formatAge,
  formatCalendarDate,
  formatDate,
  formatDayAndTime,
  formatDelay,
  formatOffset,
  formatTime,
  formatTimeWithSeconds,
  zoneLabel,
} from './formatTime';
import { parseDateOfBirth } from './parseDateOfBirth';
import { isCalendarDate, parseInstant } from './parseInstant';
import { offsetIfRepeated } from './repeatedHour';
import { toInstant } from './schema';
import { createSiteInstant, createUtcInstant } from './siteInstant';
import { startOfDay } from './startOfDay';
import { fromWallTime, toWallTime } from './wallTime';

describe('dayOf', () => {
  it.each([
    ['2026-03-07T23:59:59.999Z', 'UTC', '2026-03-07'],
    ['2026-03-07T23:30:00Z', 'Europe/Berlin', '2026-03-08'],
    ['2026-03-08T02:00:00Z', 'America/New_York', '2026-03-07'],
    // 23:30 of the day on which London's clocks go forward.
    ['2026-03-29T22:30:00Z', 'Europe/London', '2026-03-29'],
  ])('knows the day of %s in %s', (instant, zone, day) => {
    expect(dayOf(Date.parse(instant), zone)).toBe(day);
  });

  it('is the same at the first and the last instant of a zone’s day', () => {
    for (const zone of ['UTC', 'Europe/London', 'Pacific/Kiritimati', 'America/St_Johns']) {
      expect([dayOf(startOfDay('2026-10-25', zone), zone), dayOf(startOfDay('2026-10-25', zone, 1) - 1, zone)]).toEqual(
        ['2026-10-25', '2026-10-25'],
      );
    }
  });
});

describe('formatTime', () => {
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
      [
        'the birthday in the east, while UTC is a day behind',
        '1950-12-31',
        Date.UTC(2026, 11, 30, 20),
        'Asia/Tokyo',
        76,
      ],
      ['the day of birth', '2026-05-01', Date.UTC(2026, 4, 1, 10), 'UTC', 0],
      ['28 February of one born on the 29th', '2000-02-29', Date.UTC(2026, 1, 28, 12), 'UTC', 25],
      ['1 March of one born on 29 February', '2000-02-29', Date.UTC(2026, 2, 1, 12), 'UTC', 26],
    ])('counts whole years on %s', (_, born, now, zone, years) => {
      expect(ageInYears(born, now, zone)).toBe(years);
    });
  });
});

describe('a date of birth as people type it', () => {
  const today = '2026-05-01';

  it.each([
    ['', 'Enter the date of birth'],
    ['   ', 'Enter the date of birth'],
    ['11/2/58', 'needs a year of four digits, such as 1958'],
    ['11 feb 58', 'needs a year of four digits, such as 1958'],
    ['11/2/195', 'needs a year of four digits, such as 1958'],
    ['30/2/1958', 'is not a day of that month'],
    ['29/2/1957', 'is not a day of that month'],
    ['31 apr 1958', 'is not a day of that month'],
    ['0/2/1958', 'is not a day of that month'],
    ['1958-02-30', 'is not a day of that month'],
    ['11/13/1958', 'has no such month'],
    ['11/0/1958', 'has no such month'],
    ['2/5/2026', 'lies in the future'],
    ['1/1/2090', 'lies in the future'],
    ['1/1/1899', 'is before 1900'],
    ['11/2', 'is not a date such as 11/2/1958 or 11 Feb 1958'],
    ['1958', 'is not a date such as 11/2/1958 or 11 Feb 1958'],
    ['11 fbe 1958', 'is not a date such as 11/2/1958 or 11 Feb 1958'],
    ['11021958', 'is not a date such as 11/2/1958 or 11 Feb 1958'],
    ['11/2/1958/1', 'is not a date such as 11/2/1958 or 11 Feb 1958'],
    ['feb feb 1958', 'is not a date such as 11/2/1958 or 11 Feb 1958'],
    ['-1/2/x', 'is not a date such as 11/2/1958 or 11 Feb 1958'],
  ])('"%s" is refused: %s', (text, fault) => {
    expect(parseDateOfBirth(text, 'day_first', today)).toEqual({ fault });
  });

  it.each([
    ['11/2/1958', '1958-02-11'],
    ['11/02/1958', '1958-02-11'],
    [' 11.2.1958 ', '1958-02-11'],
    ['11-2-1958', '1958-02-11'],
    ['11 2 1958', '1958-02-11'],
    ['11. 2. 1958', '1958-02-11'],
    ['11 feb 1958', '1958-02-11'],
    ['11 Feb 1958', '1958-02-11'],
    ['11feb1958', '1958-02-11'],
    ['11th February, 1958', '1958-02-11'],
    ['Feb 11, 1958', '1958-02-11'],
    ['3 sept 1958', '1958-09-03'],
    ['1958-02-11', '1958-02-11'],
    ['1958/2/11', '1958-02-11'],
    ['1958 feb 11', '1958-02-11'],
    ['29/2/1956', '1956-02-29'],
    ['1/5/2026', '2026-05-01'],
    ['１１/２/1958', '1958-02-11'],
  ])('"%s" is %s where the day comes first', (text, date) => {
    expect(parseDateOfBirth(text, 'day_first', today)).toEqual({ date });
  });

  it.each([
    ['2/11/1958', '1958-02-11'],
    ['11/2/1958', '1958-11-02'],
    ['11 feb 1958', '1958-02-11'],
    ['1958-02-11', '1958-02-11'],
  ])('"%s" is %s where the month comes first', (text, date) => {
    expect(parseDateOfBirth(text, 'month_first', today)).toEqual({ date });
  });

  it('does not guess another order: month 13 is refused', () => {
    expect(parseDateOfBirth('2/13/1958', 'day_first', today)).toEqual({ fault: 'has no such month' });
    expect(parseDateOfBirth('13/2/1958', 'month_first', today)).toEqual({ fault: 'has no such month' });
  });

  it('is a date that has come, or a fault, for any text', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('day_first' as const, 'month_first' as const), (text, order) => {
        const parsed = parseDateOfBirth(text, order, today);
        expect('fault' in parsed ? parsed.fault : parsed.date <= today && parsed.date >= '1900').toBeTruthy();
      }),
    );
  });

  it('reads back every day that it is given in the site’s order', () => {
    const days = fc.date({ min: new Date('1900-01-01'), max: new Date(`${today}T00:00:00Z`), noInvalidDate: true });
    fc.assert(
      fc.property(days, (at) => {
        const date = at.toISOString().slice(0, 10);
        const [year = '', month = '', day = ''] = date.split('-');
        const figures = [`${day}/${month}/${year}`, `${month}/${day}/${year}`];
        expect(parseDateOfBirth(figures[0] ?? '', 'day_first', today)).toEqual({ date });
        expect(parseDateOfBirth(figures[1] ?? '', 'month_first', today)).toEqual({ date });
      }),
    );
  });
});

describe('parseInstant', () => {
  describe('parseInstant', () => {
    it.each([
      ['nothing', ''],
      ['a date alone', '2026-05-01'],
      ['no offset', '2026-05-01T10:00:00'],
      ['no seconds', '2026-05-01T10:00Z'],
      ['a space for the T', '2026-05-01 10:00:00Z'],
      ['small letters', '2026-05-01t10:00:00z'],
      ['an offset without its colon', '2026-05-01T10:00:00+0200'],
      ['an offset without its minutes', '2026-05-01T10:00:00+02'],
      ['an offset past 14 h', '2026-05-01T10:00:00+14:01'],
      ['an offset with 60 minutes', '2026-05-01T10:00:00+01:60'],
      ['month 0', '2026-00-01T10:00:00Z'],
      ['month 13', '2026-13-01T10:00:00Z'],
      ['day 0', '2026-05-00T10:00:00Z'],
      ['31 April', '2026-04-31T10:00:00Z'],
      ['30 February', '2026-02-30T10:00:00Z'],
      ['29 February of a common year', '2026-02-29T10:00:00Z'],
      ['29 February of 2100', '2100-02-29T10:00:00Z'],
      ['hour 24', '2026-05-01T24:00:00Z'],
      ['minute 60', '2026-05-01T10:60:00Z'],
      ['second 60', '2026-06-30T23:59:60Z'],
      ['a point without a fraction', '2026-05-01T10:00:00.Z'],
      ['ten decimals', '2026-05-01T10:00:00.1234567890Z'],
      ['a comma', '2026-05-01T10:00:00,5Z'],
      ['a year before 1970', '1969-12-31T23:59:59Z'],
      ['an offset that leads before 1970', '1970-01-01T00:00:00+00:01'],
      ['an offset that leads past 9999', '9999-12-31T23:59:59-00:01'],
      ['a year of five digits', '12026-05-01T10:00:00Z'],
      ['a sign before the year', '+002026-05-01T10:00:00Z'],
      ['a space around it', ' 2026-05-01T10:00:00Z'],
      ['a line break after it', '2026-05-01T10:00:00Z\n'],
      ['digits of another script', '٢٠٢٦-05-01T10:00:00Z'],
    ])('refuses %s', (_, text) => {
      expect(parseInstant(text)).toBeNull();
    });

    it.each([
      ['1970-01-01T00:00:00Z', 0],
      ['2026-05-01T10:00:00Z', Date.UTC(2026, 4, 1, 10)],
      ['2026-05-01T10:00:00.250Z', Date.UTC(2026, 4, 1, 10, 0, 0, 250)],
      ['2026-05-01T10:00:00.5Z', Date.UTC(2026, 4, 1, 10, 0, 0, 500)],
      ['2026-05-01T10:00:00.123999999Z', Date.UTC(2026, 4, 1, 10, 0, 0, 123)],
      ['2026-05-01T10:00:00+02:00', Date.UTC(2026, 4, 1, 8)],
      ['2026-05-01T10:00:00-03:30', Date.UTC(2026, 4, 1, 13, 30)],
      ['2026-05-01T10:00:00+14:00', Date.UTC(2026, 3, 30, 20)],
      ['2026-05-01T10:00:00-00:00', Date.UTC(2026, 4, 1, 10)],
      ['2024-02-29T23:59:59.999Z', Date.UTC(2024, 1, 29, 23, 59, 59, 999)],
      ['2000-02-29T00:00:00Z', Date.UTC(2000, 1, 29)],
      ['9999-12-31T23:59:59.999Z', Date.UTC(9999, 11, 31, 23, 59, 59, 999)],
    ])('reads %s', (text, epochMs) => {
      expect(parseInstant(text)).toBe(epochMs);
    });

    const anyInstant = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) });

    it('reads back every millisecond that responses carry', () => {
      fc.assert(
        fc.property(anyInstant, (epochMs) => {
          expect(parseInstant(toInstant(epochMs))).toBe(epochMs);
        }),
        // 1.001 s must not become 1.000 s by way of 0.001 * 1000.
        { examples: Array.from({ length: 1_000 }, (_, millisecond) => [millisecond]) },
      );
    });

    it('reads the same instant under any offset', () => {
      fc.assert(
        fc.property(
          fc.integer({ min: 86_400_000, max: Date.UTC(9000, 0) }),
          fc.integer({ min: -840, max: 840 }),
          (epochMs, offset) => {
            const local = toInstant(epochMs + offset * 60_000).slice(0, -1);
            const minutes = Math.abs(offset);
            const twoDigits = (value: number): string => String(value).padStart(2, '0');
            const written = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
            expect(parseInstant(`${local}${offset < 0 ? '-' : '+'}${written}`)).toBe(epochMs);
          },
        ),
      );
    });

    it('returns null or a time for any text, and never throws', () => {
      fc.assert(
        fc.property(fc.string(), (text) => {
          const parsed = parseInstant(text);
          expect(parsed === null || Number.isSafeInteger(parsed)).toBe(true);
        }),
      );
    });
  });

  describe('isCalendarDate', () => {
    it.each([
      '',
      '2026-02-30',
      '2026-02-29',
      '1900-02-29',
      '2026-04-31',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
      '26-01-01',
      '2026-1-1',
      '2026-01-01T00:00:00Z',
      '01/02/2026',
    ])('refuses %j', (text) => {
      expect(isCalendarDate(text)).toBe(false);
    });

    it.each(['1924-02-29', '2000-02-29', '2026-01-01', '2026-12-31'])('knows %s', (text) => {
      expect(isCalendarDate(text)).toBe(true);
    });
  });
});

describe('repeatedHour', () => {
  it.each([
    ['Europe/Berlin', '2026-10-24T23:59:00Z', null],
    ['Europe/Berlin', '2026-10-25T00:00:00Z', 'UTC+02:00'],
    ['Europe/Berlin', '2026-10-25T01:00:00Z', 'UTC+01:00'],
    ['Europe/Berlin', '2026-10-25T02:00:00Z', null],
    ['Europe/London', '2026-10-25T00:30:00Z', 'UTC+01:00'],
    ['Europe/London', '2026-10-25T01:30:00Z', 'UTC+00:00'],
    ['Australia/Lord_Howe', '2026-04-04T15:15:00Z', 'UTC+10:30'],
    ['Europe/Berlin', '2026-03-29T01:30:00Z', null],
    ['UTC', '2026-10-25T01:00:00Z', null],
  ])('in %s at %s the offset beside the time is %s', (timeZone, at, offset) => {
    expect(offsetIfRepeated(Date.parse(at), timeZone)).toBe(offset);
  });
});

describe('siteInstant', () => {
  describe('createSiteInstant', () => {
    it.each([
      ['2026-05-01T10:00:00.250Z', 'Europe/Berlin', '2026-05-01T12:00:00.250+02:00'],
      ['2026-05-01T10:00:00.000Z', 'UTC', '2026-05-01T10:00:00.000+00:00'],
      ['2026-05-01T01:00:00.000Z', 'America/St_Johns', '2026-04-30T22:30:00.000-02:30'],
      // The hour that London's clocks show twice.
      ['2026-10-25T00:59:59.999Z', 'Europe/London', '2026-10-25T01:59:59.999+01:00'],
      ['2026-10-25T01:00:00.000Z', 'Europe/London', '2026-10-25T01:00:00.000+00:00'],
    ])('writes %s in %s as %s', (utc, timeZone, text) => {
      expect(createSiteInstant(timeZone)(Date.parse(utc))).toBe(text);
    });

    it('writes the same instant, whatever it wrote before', () => {
      for (const timeZone of ['Europe/London', 'Australia/Lord_Howe', 'Asia/Kathmandu']) {
        const write = createSiteInstant(timeZone);
        for (let at = Date.UTC(2026, 2, 1); at < Date.UTC(2026, 11, 1); at += 7 * 3_600_000 + 61_001) {
          expect(parseInstant(write(at))).toBe(at);
        }
      }
    });
  });

  describe('createUtcInstant', () => {
    it('writes every instant as toInstant does, in any order', () => {
      const write = createUtcInstant();
      const begin = Date.UTC(2024, 1, 28, 23, 59, 58, 990);
      for (let at = begin; at < begin + 3 * 86_400_000; at += 3_599_993) {
        expect([write(at), write(2 * begin - at)]).toEqual([toInstant(at), toInstant(2 * begin - at)]);
      }
      expect([0, -1, 999, 86_399_999].map(write)).toEqual([0, -1, 999, 86_399_999].map(toInstant));
    });
  });
});

describe('startOfDay', () => {
  it.each([
    ['2026-05-01', 'UTC', 0, '2026-05-01T00:00:00.000Z'],
    ['2026-05-01', 'Europe/London', 0, '2026-04-30T23:00:00.000Z'],
    ['2026-05-01', 'Europe/London', 1, '2026-05-01T23:00:00.000Z'],
    ['2026-03-29', 'Europe/London', 0, '2026-03-29T00:00:00.000Z'],
    ['2026-03-29', 'Europe/London', 1, '2026-03-29T23:00:00.000Z'],
    ['2026-10-25', 'Europe/Berlin', 0, '2026-10-24T22:00:00.000Z'],
    ['2026-10-25', 'Europe/Berlin', 1, '2026-10-25T23:00:00.000Z'],
    ['2026-12-31', 'Pacific/Kiritimati', 1, '2026-12-31T10:00:00.000Z'],
    ['2026-01-01', 'America/Los_Angeles', 0, '2026-01-01T08:00:00.000Z'],
    // Clocks go forward at midnight: the day begins at 01:00.
    ['2026-09-06', 'America/Santiago', 0, '2026-09-06T04:00:00.000Z'],
    ['2026-09-05', 'America/Santiago', 1, '2026-09-06T04:00:00.000Z'],
    ['2026-04-05', 'America/Santiago', 0, '2026-04-05T04:00:00.000Z'],
    ['2026-03-08', 'America/Havana', 0, '2026-03-08T05:00:00.000Z'],
  ])('of %s in %s, %d days on, is %s', (date, zone, after, instant) => {
    expect(new Date(startOfDay(date, zone, after)).toISOString()).toBe(instant);
  });
});

describe('the time on a zone’s clocks', () => {
  it.each(['', 'yesterday', '2026-02-30T10:00x', '2026-13-01T10:00', '14:05'])('is not “%s”', (text) => {
    expect(fromWallTime(text, 'Europe/London')).toBeNull();
  });

  it('is shown and read in the zone, in summer and in winter', () => {
    expect(toWallTime(Date.parse('2026-07-01T12:05:59Z'), 'Europe/Berlin')).toBe('2026-07-01T14:05');
    expect(fromWallTime('2026-01-31T14:05', 'America/New_York')).toBe(Date.parse('2026-01-31T19:05:00Z'));
  });

  it('leads back to the minute, but for the hour that clocks show twice', () => {
    const minutes = fc.integer({ min: 28_000_000, max: 31_000_000 });
    const zones = fc.constantFrom('UTC', 'Europe/London', 'America/Los_Angeles', 'Asia/Kathmandu');
    fc.assert(
      fc.property(minutes, zones, (minute, zone) => {
        const at = minute * 60_000;
        const back = fromWallTime(toWallTime(at, zone), zone) ?? 0;
        expect(toWallTime(back, zone)).toBe(toWallTime(at, zone));
        expect(Math.abs(back - at)).toBeLessThanOrEqual(3_600_000);
      }),
    );
  });
});
