import { limitWords, readLimit } from './limitWords';

const both = { lowIs: 'atMost', bounds: { low: { min: 30, max: 50 }, high: { min: 120, max: 180 } } } as const;
const low = { lowIs: 'below', bounds: { low: { min: 80, max: 92 }, high: null } } as const;

describe('limits in words', () => {
  it.each([
    [null, both, '–'],
    [{}, both, '–'],
    [{ low: 40, high: 150 }, both, '≤ 40, ≥ 150'],
    [{ high: 150 }, both, '≥ 150'],
    [{ low: null, high: 150 }, both, 'off, ≥ 150'],
    [{ low: 88 }, low, '< 88'],
    [{ low: 88, high: null }, low, '< 88'],
    [{ low: 0 }, low, '< 0'],
  ])('are, of %j by %j, "%s"', (values, row, words) => {
    expect(limitWords(values, row)).toBe(words);
  });

  it.each([
    ['', undefined],
    ['  ', undefined],
    ['off', null],
    [' OFF ', null],
    ['0', 0],
    ['88', 88],
    ['x', NaN],
  ])('are read from "%s" as %s', (text, value) => {
    expect(readLimit(text)).toBe(value);
  });
});
