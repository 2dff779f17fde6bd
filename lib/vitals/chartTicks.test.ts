import fc from 'fast-check';
import { tickLabels, timeTicks } from './chartTicks';

const hour = 3_600_000;

function labels(from: number, hours: number, timeZone: string, mostTicks: number): string[] {
  return tickLabels(timeTicks({ from, to: from + hours * hour }, timeZone, mostTicks), timeZone);
}

describe('timeTicks', () => {
  it.each([
    ['an hour, wide', 1, 15, '2026-01-05T12:00:00Z', 'Europe/London', 13],
    ['an hour, narrow', 1, 6, '2026-01-05T12:00:00Z', 'Europe/London', 7],
    ['four hours', 4, 9, '2026-01-05T12:00:00Z', 'Europe/London', 9],
    ['a day', 24, 12, '2026-01-05T12:00:00Z', 'Europe/London', 13],
  ])('puts round times in %s', (_name, hours, mostTicks, from, timeZone, count) => {
    expect(
      timeTicks({ from: Date.parse(from), to: Date.parse(from) + hours * hour }, timeZone, mostTicks),
    ).toHaveLength(count);
  });

  it('follows the site clock, also if it is a quarter of an hour off', () => {
    expect(labels(Date.parse('2026-01-05T12:00:00Z'), 4, 'Asia/Kathmandu', 5)).toEqual([
      '18:00\n05 Jan',
      '19:00',
      '20:00',
      '21:00',
    ]);
  });

  it('finds ten-minute ticks if the site is a quarter of an hour off', () => {
    expect(labels(Date.parse('2026-01-05T12:00:00Z'), 1, 'Asia/Kathmandu', 6)).toEqual([
      '17:50\n05 Jan',
      '18:00',
      '18:10',
      '18:20',
      '18:30',
      '18:40',
    ]);
  });

  it('shows seconds in a window of a minute or two, in any zone', () => {
    expect(labels(Date.parse('2026-01-05T12:00:05Z'), 1 / 60, 'Asia/Kathmandu', 6)).toEqual([
      '17:45:10\n05 Jan',
      '17:45:20',
      '17:45:30',
      '17:45:40',
      '17:45:50',
      '17:46:00',
    ]);
  });

  it('shows each minute in a window of some', () => {
    expect(labels(Date.parse('2026-01-05T12:00:05Z'), 4 / 60, 'Europe/London', 6)).toEqual([
      '12:01\n05 Jan',
      '12:02',
      '12:03',
      '12:04',
    ]);
  });

  it('puts days at midnight of the site', () => {
    const ticks = timeTicks(
      { from: Date.parse('2026-01-01T00:00:00Z'), to: Date.parse('2026-01-08T00:00:00Z') },
      'Asia/Tokyo',
      8,
    );
    expect(ticks.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual(Array(7).fill('15:00'));
    expect(tickLabels(ticks, 'Asia/Tokyo')).toEqual([
      '02 Jan',
      '03 Jan',
      '04 Jan',
      '05 Jan',
      '06 Jan',
      '07 Jan',
      '08 Jan',
    ]);
  });

  it('keeps days at midnight across a change of the clocks', () => {
    expect(labels(Date.parse('2026-03-27T12:00:00Z'), 96, 'Europe/London', 5)).toEqual([
      '28 Mar',
      '29 Mar',
      '30 Mar',
      '31 Mar',
    ]);
  });

  it('shows both hours of the night the clocks go back, each with its zone', () => {
    expect(labels(Date.parse('2026-10-24T23:30:00Z'), 3, 'Europe/London', 6)).toEqual([
      '00:30\nBST 25 Oct',
      '01:00\nBST',
      '01:30\nBST',
      '01:00\nGMT',
      '01:30\nGMT',
      '02:00\nGMT',
      '02:30\nGMT',
    ]);
  });

  it('has no tick in the hour that the clocks skip', () => {
    expect(labels(Date.parse('2026-03-29T00:00:00Z'), 2, 'Europe/London', 4)).toEqual([
      '00:00\nGMT 29 Mar',
      '00:30\nGMT',
      '02:00\nBST',
      '02:30\nBST',
      '03:00\nBST',
    ]);
  });

  it('writes the date where a new day begins', () => {
    expect(labels(Date.parse('2026-01-05T22:00:00Z'), 4, 'UTC', 4)).toEqual([
      '22:00\n05 Jan',
      '23:00',
      '00:00\n06 Jan',
      '01:00',
      '02:00',
    ]);
  });

  it('stays inside the window, ascends, and never gives more ticks than fit by far, in any zone', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2_000_000_000 }),
        fc.constantFrom(1, 4, 12, 24, 168, 336),
        fc.constantFrom(
          'UTC',
          'Europe/London',
          'America/New_York',
          'Asia/Kathmandu',
          'Australia/Lord_Howe',
          'Africa/Casablanca',
        ),
        fc.integer({ min: 4, max: 20 }),
        (second, hours, timeZone, mostTicks) => {
          const from = second * 1_000;
          const ticks = timeTicks({ from, to: from + hours * hour }, timeZone, mostTicks);
          expect(ticks).toEqual([...new Set(ticks)].sort((a, b) => a - b));
          expect(ticks.every((at) => from <= at && at <= from + hours * hour)).toBe(true);
          expect(ticks.length).toBeLessThanOrEqual(mostTicks + 3);
          expect(ticks.length).toBeGreaterThan(0);
        },
      ),
    );
  });
});
