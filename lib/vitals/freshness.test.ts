import fc from 'fast-check';
import { type Freshness, freshnessOf, isAgeKnown, offAfterMs } from './freshness';

const second = 1_000;
const hour = 3_600_000;

describe('freshnessOf', () => {
  // E = 1 s: the floors of 10, 30 and 60 s decide. E = 10 s: 1.5 E, then the floors. E = 1 h: 1.5 E, 2 E and 4 E.
  it.each<[age: number, every: number, freshness: Freshness]>([
    [-2_001, second, 'off'],
    [-2_000, second, 'live'],
    [-1, second, 'live'],
    [0, second, 'live'],
    [10_000, second, 'live'],
    [10_001, second, 'ageing'],
    [30_000, second, 'ageing'],
    [30_001, second, 'stale'],
    [60_000, second, 'stale'],
    [60_001, second, 'off'],
    [15_000, 10 * second, 'live'],
    [15_001, 10 * second, 'ageing'],
    [30_000, 10 * second, 'ageing'],
    [30_001, 10 * second, 'stale'],
    [60_000, 10 * second, 'stale'],
    [60_001, 10 * second, 'off'],
    [1.5 * hour, hour, 'live'],
    [1.5 * hour + 1, hour, 'ageing'],
    [2 * hour, hour, 'ageing'],
    [2 * hour + 1, hour, 'stale'],
    [4 * hour, hour, 'stale'],
    [4 * hour + 1, hour, 'off'],
  ])('calls an age of %d ms, with a value expected every %d ms, %s', (age, every, freshness) => {
    expect(freshnessOf(age, every)).toBe(freshness);
  });

  it('withdraws a value whose age is unknown', () => {
    expect(freshnessOf(Number.NaN, second)).toBe('off');
    expect(freshnessOf(Number.POSITIVE_INFINITY, second)).toBe('off');
  });

  it('never grows fresher with age', () => {
    const order: Freshness[] = ['live', 'ageing', 'stale', 'off'];
    const age = fc.integer({ min: -2_000, max: 1_000 * hour });
    fc.assert(
      fc.property(age, age, fc.integer({ min: 1, max: 48 * hour }), (one, other, every) => {
        const younger = order.indexOf(freshnessOf(Math.min(one, other), every));
        const older = order.indexOf(freshnessOf(Math.max(one, other), every));
        expect(older).toBeGreaterThanOrEqual(younger);
      }),
    );
  });

  it('withdraws whatever lies more than 2 s in the future, however rarely a value is due', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2_001, max: 1_000 * hour }),
        fc.integer({ min: 1, max: 48 * hour }),
        (ms, every) => {
          expect([isAgeKnown(-ms), freshnessOf(-ms, every)]).toEqual([false, 'off']);
        },
      ),
    );
  });

  it('never shows as live what is older than 10 s and later than one and a half intervals', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 48 * hour }), fc.integer({ min: 1, max: 100 * hour }), (every, extra) => {
        const age = Math.floor(Math.max(10_000, 1.5 * every)) + extra;
        expect(freshnessOf(age, every)).not.toBe('live');
      }),
    );
  });

  it('withdraws a value right after the age that is named as its last', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 48 * hour }), (every) => {
        const last = offAfterMs(every);
        expect([freshnessOf(last, every), freshnessOf(last + 1, every)]).toEqual(['stale', 'off']);
      }),
    );
  });
});
