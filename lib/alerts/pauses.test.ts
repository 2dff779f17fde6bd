import fc from 'fast-check';
import { isRenewalOf, standbyMinutesLeft, type StandbyTime } from './pauses';

const now = Date.UTC(2026, 4, 1, 10);
const minute = 60_000;
/** A standby from so many minutes ago until so many minutes ago. */
const ago = (from: number, to: number): StandbyTime => ({ startedAt: now - from * minute, until: now - to * minute });

describe('the time that a standby may last', () => {
  it.each<[string, StandbyTime[], number]>([
    ['there was none', [], 60],
    ['an hour was used', [ago(60, 0)], 60],
    ['two hours were used in pieces', [ago(200, 140), ago(130, 100), ago(30, 0)], 0],
    ['what was used leaves the four hours during it', [ago(240, 180), ago(120, 60)], 60],
    ['a part of what was used leaves the four hours', [ago(200, 140), ago(120, 80)], 20],
    ['20 min are left of two hours', [ago(150, 90), ago(60, 20)], 20],
    ['the one that runs is replaced', [ago(30, -30)], 60],
    ['two hours were used 4 h ago', [ago(360, 240)], 60],
  ])('is, if %s, %j: %i min', (_, former, left) => {
    expect(standbyMinutesLeft(former, now)).toBe(left);
  });

  it('never is more than 60 min, nor more than 120 min within any 4 h, however it is split', () => {
    const wish = fc.record({ pause: fc.integer({ min: 0, max: 90 }), minutes: fc.integer({ min: 1, max: 60 }) });
    fc.assert(
      fc.property(fc.array(wish, { minLength: 5, maxLength: 40 }), (wishes) => {
        let at = now;
        const all: StandbyTime[] = [];
        for (const { pause, minutes } of wishes) {
          at += pause * minute;
          const given = Math.min(minutes, standbyMinutesLeft(all, at));
          if (given > 0) {
            all.push({ startedAt: at, until: at + given * minute });
            at += given * minute;
          }
        }
        for (const { until } of all) {
          const from = until - 240 * minute;
          const used = all.reduce(
            (ms, one) => ms + Math.max(0, Math.min(one.until, until) - Math.max(one.startedAt, from)),
            0,
          );
          expect(used).toBeLessThanOrEqual(120 * minute);
        }
      }),
    );
  });
});

it.each([
  ['runs', ago(10, -10), true],
  ['ended less than 15 min ago', ago(40, 14), true],
  ['ended 15 min ago', ago(40, 15), false],
])('goes on from one that %s', (_, former, expected) => {
  expect(isRenewalOf([former], now)).toBe(expected);
});
