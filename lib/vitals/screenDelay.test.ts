import fc from 'fast-check';
import { isArrival, screenDelay, takeArrival, type ArrivedResponse } from './screenDelay';

const now = 1_800_000_000_000;

describe('isArrival', () => {
  it.each([
    ['the value that is there already', 0, 0, false],
    ['one that the server had before', -1, -1, false],
    ['a back-fill', 5_000, -55_001, false],
    ['one that took a minute to the server', 5_000, -55_000, true],
    ['a newer one', 1, 1, true],
  ])('evaluates %s', (_, receivedAt, asOf, expected) => {
    expect(isArrival({ receivedAt: now }, { receivedAt: now + receivedAt, asOf: now + asOf })).toBe(expected);
  });
});

/** Takes arrivals of [received, painted] milliseconds after `now`, one after the other. */
function afterTaking(...arrivals: [received: number, painted: number][]): readonly ArrivedResponse[] {
  return arrivals.reduce<readonly ArrivedResponse[]>(
    (responses, [received, painted]) =>
      takeArrival(responses, { receivedAt: now + received, paintedAt: now + painted }),
    [],
  );
}

describe('takeArrival', () => {
  it.each<[string, [number, number][], number[]]>([
    [
      'of one response only the newest value',
      [
        [0, 500],
        [200, 520],
        [100, 540],
      ],
      [320],
    ],
    [
      'of values that came in together the one painted last',
      [
        [0, 500],
        [0, 900],
      ],
      [900],
    ],
    [
      'what is painted a second later as another response',
      [
        [0, 500],
        [1_000, 1_499],
        [1_100, 1_500],
      ],
      [499, 400],
    ],
  ])('counts %s', (_, arrivals, delays) => {
    expect(afterTaking(...arrivals).map(({ receivedAt, paintedAt }) => paintedAt - receivedAt)).toEqual(delays);
  });

  it('remembers nine responses', () => {
    const responses = afterTaking(
      ...Array.from({ length: 12 }, (_, index): [number, number] => [index * 2_000, index * 2_000 + index]),
    );
    expect(responses.map(({ receivedAt, paintedAt }) => paintedAt - receivedAt)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });
});

describe('screenDelay', () => {
  const delayOf = (...delays: number[]) =>
    screenDelay(delays.map((delay) => ({ receivedAt: now, paintedAt: now + delay })));

  it.each([
    ['unknown before anything came', [], null],
    ['that of the only response', [700], 700],
    ['between the two in the middle', [100, 400, 300, 9_000], 350],
    ['untouched by a delayed response', [800, 700, 180_000, 900, 600], 800],
    ['none where the page’s clock is behind', [-40, -20], 0],
  ])('is %s', (_, delays, expected) => {
    expect(delayOf(...delays)).toBe(expected);
  });

  it('lies between the least and the most and is never negative', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5_000, max: 600_000 }), { minLength: 1, maxLength: 9 }), (delays) => {
        const delay = delayOf(...delays) ?? Number.NaN;
        expect(delay).toBeGreaterThanOrEqual(Math.max(0, Math.min(...delays)));
        expect(delay).toBeLessThanOrEqual(Math.max(0, ...delays));
      }),
    );
  });
});
