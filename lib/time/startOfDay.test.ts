import { startOfDay } from './startOfDay';

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
