import fc from 'fast-check';
import { ageFrom, clockOffset, offsetHistoryLength } from './clockOffset';

const now = Date.UTC(2026, 4, 1, 10);
const lags = (count: number, lag: number): number[] => Array.from({ length: count }, () => lag);

describe('clockOffset', () => {
  it.each([
    ['no call is known', []],
    ['one call fewer than twenty is known', lags(offsetHistoryLength - 1, 90_000)],
    ['twenty calls disagree by more than 10 s', [...lags(offsetHistoryLength - 1, 90_000), 100_001]],
    [
      'a back-fill shrinks its lag from call to call',
      Array.from({ length: offsetHistoryLength }, (_, call) => 3_600_000 - call * 60_000),
    ],
  ])('concludes nothing when %s', (_, recent) => {
    expect(clockOffset(now, null, recent)).toBe(0);
  });

  it.each([
    ['twenty calls agree', lags(offsetHistoryLength, 90_000), 90_000],
    ['twenty calls disagree by exactly 10 s', [...lags(offsetHistoryLength - 1, 90_000), 100_000], 90_000],
    ['the clock is fast', lags(offsetHistoryLength, -45_000), -45_000],
    ['the middle lies between two calls', [...lags(10, 1_000), ...lags(10, 2_001)], 1_501],
    ['older calls than the last twenty disagree', [...lags(5, 500_000), ...lags(offsetHistoryLength, 90_000)], 90_000],
  ])('takes the median when %s', (_, recent, offset) => {
    expect(clockOffset(now, null, recent)).toBe(offset);
  });

  it.each([
    ['slow', now - 120_000, 120_000],
    ['right', now, 0],
    ['fast', now + 30_000, -30_000],
  ])('prefers a device’s own time, which is %s, to its history', (_, sentAt, offset) => {
    expect(clockOffset(now, sentAt, lags(offsetHistoryLength, 7_000))).toBe(offset);
  });

  it('does not depend on the order of the calls, and changes no list that it is given', () => {
    const lag = fc.integer({ min: -100_000, max: 100_000 });
    fc.assert(
      fc.property(fc.array(lag, { minLength: offsetHistoryLength, maxLength: offsetHistoryLength }), (recent) => {
        const before = [...recent];
        const offset = clockOffset(now, null, recent);
        expect(recent).toEqual(before);
        expect(clockOffset(now, null, recent.toReversed())).toBe(offset);
      }),
    );
  });

  it('stays within what the calls said', () => {
    const near = fc.array(fc.integer({ min: 60_000, max: 70_000 }), {
      minLength: offsetHistoryLength,
      maxLength: offsetHistoryLength,
    });
    fc.assert(
      fc.property(near, (recent) => {
        const offset = clockOffset(now, null, recent);
        expect(offset).toBeGreaterThanOrEqual(Math.min(...recent));
        expect(offset).toBeLessThanOrEqual(Math.max(...recent));
      }),
    );
  });
});

describe('ageFrom', () => {
  it.each([
    ['a live value counts from when it was taken', now - 2_000, 0, now, now - 2_000],
    ['a value from a slow clock counts from its true time', now - 90_000, 88_000, now, now - 2_000],
    ['a value from a fast clock counts from its receipt', now + 50_000, 0, now, now],
    ['a back-filled value stays old', now - 3_600_000, 0, now, now - 3_600_000],
  ])('%s', (_, takenAt, offset, receivedAt, from) => {
    expect(ageFrom(takenAt, offset, receivedAt)).toBe(from);
  });
});
