import fc from 'fast-check';
import { isCalendarDate, parseInstant } from './parseInstant';
import { toInstant } from './schema';

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
