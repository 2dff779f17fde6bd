import { parseInstant } from './parseInstant';
import { toInstant } from './schema';
import { createSiteInstant, createUtcInstant } from './siteInstant';

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
