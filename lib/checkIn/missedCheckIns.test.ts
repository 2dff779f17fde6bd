import fc from 'fast-check';
import { toWallTime } from '../time/wallTime';
import { duesAround, firstUnanswered, nextDueAt, type DueTimes } from './dueTimes';
import { evaluateMissedCheckIns } from './missedCheckIns';

const minute = 60_000;
const hour = 60 * minute;
const usual: DueTimes = { times: ['08:00', '14:00', '20:00'], timeZone: 'Europe/London' };
/** The times of a day in May by the clocks of London, which are an hour ahead of UTC. */
const may = (day: number, time: string): number => Date.parse(`2026-05-${String(day).padStart(2, '0')}T${time}+01:00`);

/** Returns "low since 16:00" and the like. */
function shown(lastAt: number, now: number, due = usual): string | null {
  const active = evaluateMissedCheckIns(lastAt, due, now);
  return active === null ? null : `${active.priority} since ${toWallTime(active.since, due.timeZone).slice(8)}`;
}

describe('a check-in that is due at 08:00, 14:00 and 20:00', () => {
  it.each([
    // The last one, now, and what is raised (clinical.md section 2.5).
    ['on time', '07T08:00', '07T15:59:59.999', null],
    ['missed once, after 2 h', '07T08:00', '07T16:00', 'low since 07T16:00'],
    ['missed once, before 2 h after the second', '07T08:00', '07T21:59:59.999', 'low since 07T16:00'],
    ['missed twice in a row', '07T08:00', '07T22:00', 'medium since 07T22:00'],
    ['missed for days', '07T08:00', '09T12:00', 'medium since 07T22:00'],
    ['late, before the next is nearer', '07T10:59', '07T16:00', 'low since 07T16:00'],
    ['early for the next', '07T11:00', '07T21:59', null],
    ['early for the next, which is the last of the day', '07T11:00', '07T22:00', 'low since 07T22:00'],
    ['made after it was missed', '07T16:30', '07T21:59', null],
    ['made in the evening', '07T20:00', '08T09:59', null],
    ['missed in the morning', '07T20:00', '08T10:00', 'low since 08T10:00'],
    ['missed in the morning and at noon', '07T20:00', '08T16:00', 'medium since 08T16:00'],
    ['made at night, for the evening', '08T03:59', '08T10:00', 'low since 08T10:00'],
    ['made at night, for the morning', '08T04:00', '08T10:00', null],
  ])('%s', (_, last, now, expected) => {
    const at = (text: string): number => Date.parse(`2026-05-${text.length === 8 ? `${text}:00` : text}+01:00`);
    expect(shown(at(last), at(now))).toBe(expected);
  });

  it('once a day is not silent before the grace is over, and is after a day of silence', () => {
    const daily = { ...usual, times: ['08:00'] };
    expect(shown(may(7, '08:00:00'), may(8, '09:59:59'), daily)).toBeNull();
    expect(shown(may(7, '08:00:00'), may(8, '10:00:00'), daily)).toBe('medium since 08T10:00');
    // Made at 14:00: the day of silence is over four hours after the grace.
    expect(shown(may(7, '14:00:00'), may(8, '13:59:59'), daily)).toBe('low since 08T10:00');
    expect(shown(may(7, '14:00:00'), may(8, '14:00:00'), daily)).toBe('medium since 08T14:00');
  });

  it('once a day in the evening is not answered in the morning, and silent after a day and 2 h at most', () => {
    const daily = { ...usual, times: ['20:00'] };
    expect(shown(may(7, '08:30:00'), may(7, '21:59:59'), daily)).toBeNull();
    expect(shown(may(7, '08:30:00'), may(7, '22:00:00'), daily)).toBe('low since 07T22:00');
    expect(shown(may(7, '08:30:00'), may(8, '08:29:59'), daily)).toBe('low since 07T22:00');
    expect(shown(may(7, '08:30:00'), may(8, '08:30:00'), daily)).toBe('medium since 08T08:30');
    // As early as counts: the next is due 28 h later.
    expect(shown(may(7, '16:00:00'), may(8, '17:59:59'), daily)).toBeNull();
    expect(shown(may(7, '16:00:00'), may(8, '18:00:00'), daily)).toBe('medium since 08T18:00');
  });

  it('six times a day is silent two hours after the second', () => {
    const often = { ...usual, times: ['06:00', '09:00', '12:00', '15:00', '18:00', '21:00'] };
    expect(shown(may(7, '06:00:00'), may(7, '11:00:00'), often)).toBe('low since 07T11:00');
    expect(shown(may(7, '06:00:00'), may(7, '14:00:00'), often)).toBe('medium since 07T14:00');
  });

  it('follows the clocks of the site when they change', () => {
    // On 29 March 2026 clocks in London go forward at 01:00, on 25 October back at 02:00.
    const forward = Date.parse('2026-03-28T20:00:00Z');
    expect(shown(forward, Date.parse('2026-03-29T08:59:59Z'))).toBeNull();
    expect(shown(forward, Date.parse('2026-03-29T09:00:00Z'))).toBe('low since 29T10:00');
    const back = Date.parse('2026-10-24T19:00:00Z');
    expect(shown(back, Date.parse('2026-10-25T09:59:59Z'))).toBeNull();
    expect(shown(back, Date.parse('2026-10-25T10:00:00Z'))).toBe('low since 25T10:00');
    // A silence counts in hours, also over the night that has one more: 26 are over at 09:00.
    const daily = { ...usual, times: ['08:00'] };
    expect(shown(Date.parse('2026-10-24T07:00:00Z'), Date.parse('2026-10-25T08:59:59Z'), daily)).toBeNull();
    expect(shown(Date.parse('2026-10-24T07:00:00Z'), Date.parse('2026-10-25T09:00:00Z'), daily)).toBe(
      'medium since 25T09:00',
    );
  });

  it('at a time that clocks skip or show twice is due once', () => {
    const atNight = { ...usual, times: ['01:30', '13:30'] };
    for (const day of ['2026-03-29', '2026-10-25']) {
      const noon = Date.parse(`${day}T12:00:00Z`);
      const dues = duesAround(atNight, noon).filter((at) => toWallTime(at, atNight.timeZone).startsWith(day));
      expect(dues).toHaveLength(2);
    }
  });
});

describe('the next check-in', () => {
  it.each([
    ['nothing before', null, '09:00', '07T08:00'],
    ['the morning is done', '08:10', '09:00', '07T14:00'],
    ['noon is due now', '08:10', '13:00', '07T14:00'],
    ['noon is missed and still counts', '08:10', '16:50', '07T14:00'],
    ['noon is missed and the evening is nearer', '08:10', '17:00', '07T20:00'],
    ['the day is done', '20:00', '23:00', '08T08:00'],
  ])('if %s', (_, last, now, expected) => {
    const lastAt = last === null ? null : may(7, `${last}:00`);
    expect(toWallTime(nextDueAt(usual, lastAt, may(7, `${now}:00`)), usual.timeZone).slice(8)).toBe(expected);
  });
});

it('is next this evening for who has to check in once a day, also before a check-in counts for it', () => {
  const daily = { ...usual, times: ['20:00'] };
  const next = (last: string | null, now: string) =>
    toWallTime(nextDueAt(daily, last === null ? null : may(7, last), may(7, now)), usual.timeZone).slice(8);
  expect(next(null, '14:00:00')).toBe('07T20:00');
  expect(next('14:00:00', '14:00:00')).toBe('07T20:00');
  expect(next('16:00:00', '16:00:00')).toBe('08T20:00');
});

describe('for any times, zone and moment', () => {
  const arbitraryDue = fc
    .record({
      minutes: fc.uniqueArray(fc.integer({ min: 0, max: 1_439 }), { minLength: 1, maxLength: 6 }),
      timeZone: fc.constantFrom('UTC', 'Europe/London', 'America/St_Johns', 'Pacific/Auckland', 'Pacific/Kiritimati'),
    })
    .map(({ minutes, timeZone }) => ({
      timeZone,
      times: minutes
        .sort((a, b) => a - b)
        .map((at) => `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`),
    }));
  const arbitraryAt = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) });

  it('what is due next lies after the last one, and the second after it', () => {
    fc.assert(
      fc.property(arbitraryDue, arbitraryAt, (due, lastAt) => {
        const { first, second } = firstUnanswered(due, lastAt);
        expect(first).toBeGreaterThan(lastAt);
        expect(second).toBeGreaterThan(first);
        expect(second).toBeLessThan(lastAt + 75 * hour);
      }),
    );
  });

  it('gets no better by waiting, is raised from when it says, and ends with the next check-in', () => {
    const rank = { low: 1, medium: 2, high: 3 };
    fc.assert(
      fc.property(arbitraryDue, arbitraryAt, fc.integer({ min: 0, max: 80 * hour }), (due, lastAt, after) => {
        const now = lastAt + after;
        const active = evaluateMissedCheckIns(lastAt, due, now);
        const later = evaluateMissedCheckIns(lastAt, due, now + 10 * minute);
        expect(later === null ? 0 : rank[later.priority]).toBeGreaterThanOrEqual(
          active === null ? 0 : rank[active.priority],
        );
        const { since = now, rule = null } = active ?? {};
        expect(evaluateMissedCheckIns(lastAt, due, since)?.rule ?? null).toBe(rule);
        expect(rule !== null && evaluateMissedCheckIns(lastAt, due, since - 1)?.rule === rule).toBe(false);
        expect(evaluateMissedCheckIns(now, due, now)).toBeNull();
        // No one is silent for longer than a day and the grace without someone who calls.
        expect(evaluateMissedCheckIns(lastAt, due, lastAt + 26 * hour)?.priority).toBe('medium');
      }),
    );
  });
});
