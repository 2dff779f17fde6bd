import fc from 'fast-check';
import { fromWallTime, toWallTime } from './wallTime';

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
