import fc from 'fast-check';
import { fuzzRuns } from '../../test/fuzzRuns';
import { createSiteInstant } from '../time/siteInstant';
import { parseTime } from './parseTime';

const read = (text: string, timeZone = 'Europe/Berlin', receivedAt = '2026-05-01T10:00:00Z'): string | null => {
  const at = parseTime(text, { timeZone, receivedAt: Date.parse(receivedAt) });
  return at === null ? null : new Date(at).toISOString();
};

describe('parseTime', () => {
  it.each([
    '',
    '""',
    '2026',
    '202605',
    '20260501',
    '2026050112',
    '20260230120000',
    '20261301120000',
    '20260501240000',
    '20260501126000',
    '20260501120060',
    '20260501120000.',
    '20260501120000+2',
    '20260501120000+1500',
    '20260501120000+0160',
    '2026-05-01T12:00:00Z',
    '19691231235959+0000',
    ' 20260501120000',
    '20260501120000\n',
  ])('takes %j for no instant', (text) => {
    expect(read(text)).toBeNull();
  });

  it.each([
    ['202605011200', '2026-05-01T10:00:00.000Z'],
    ['20260501120030', '2026-05-01T10:00:30.000Z'],
    ['20260501120030.5', '2026-05-01T10:00:30.500Z'],
    ['20260501120030.1239', '2026-05-01T10:00:30.123Z'],
    ['20260501120030.25-0530', '2026-05-01T17:30:30.250Z'],
    ['202605011200+0000', '2026-05-01T12:00:00.000Z'],
  ])('reads %s in Berlin as %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    ['Europe/Berlin', '20261025023000', '2026-10-25T00:31:00Z', '2026-10-25T00:30:00.000Z'],
    ['Europe/Berlin', '20261025023000', '2026-10-25T01:29:00Z', '2026-10-25T01:30:00.000Z'],
    ['Europe/Berlin', '20261025023000', '2026-10-25T09:00:00Z', '2026-10-25T01:30:00.000Z'],
    ['Europe/Berlin', '20261025015959', '2026-10-25T00:00:00Z', '2026-10-24T23:59:59.000Z'],
    ['Europe/Berlin', '20261025030000', '2026-10-25T00:00:00Z', '2026-10-25T02:00:00.000Z'],
    ['Australia/Lord_Howe', '20260405014500', '2026-04-04T14:46:00Z', '2026-04-04T14:45:00.000Z'],
    ['Australia/Lord_Howe', '20260405014500', '2026-04-04T15:16:00Z', '2026-04-04T15:15:00.000Z'],
  ])('in the repeated hour of %s reads %s, received at %s, as %s', (timeZone, text, receivedAt, expected) => {
    expect(read(text, timeZone, receivedAt)).toBe(expected);
  });

  it.each([
    ['a clock that was not changed', '2026-03-29T01:31:00Z', '2026-03-29T01:30:00.000Z'],
    ['a clock that was changed early', '2026-03-29T00:29:00Z', '2026-03-29T00:30:00.000Z'],
    ['a value that comes late', '2026-03-29T20:00:00Z', '2026-03-29T01:30:00.000Z'],
  ])('in the skipped hour reads 02:30 as the nearer instant: %s', (_name, receivedAt, expected) => {
    expect(read('20260329023000', 'Europe/Berlin', receivedAt)).toBe(expected);
  });

  it('reads what the clocks of a zone show back as the same instant, when it is received at once', () => {
    const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC');
    const day = 86_400_000;
    const at = fc.oneof(
      fc.integer({ min: 2 * day, max: Date.UTC(2090, 0, 1) }),
      fc.integer({ min: Date.UTC(2026, 9, 25) - day, max: Date.UTC(2026, 9, 25) + day }),
      fc.integer({ min: Date.UTC(2026, 2, 29) - day, max: Date.UTC(2026, 2, 29) + day }),
    );
    fc.assert(
      fc.property(zone, at, (timeZone, instant) => {
        const wall = createSiteInstant(timeZone)(instant);
        const digits = `${wall.slice(0, 19).replace(/[-T:]/g, '')}.${wall.slice(20, 23)}`;
        expect(parseTime(digits, { timeZone, receivedAt: instant })).toBe(instant);
        const offset = wall.slice(23).replace(':', '');
        expect(parseTime(digits + offset, { timeZone: 'UTC', receivedAt: 0 })).toBe(instant);
      }),
      fuzzRuns,
    );
  });
});
