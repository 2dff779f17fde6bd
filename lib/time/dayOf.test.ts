import { dayOf } from './dayOf';
import { startOfDay } from './startOfDay';

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
