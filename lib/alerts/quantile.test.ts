import fc from 'fast-check';
import { quantile } from './quantile';

describe('the quantile of counted values', () => {
  it('is unknown without a value, and never 0', () => {
    expect(quantile(new Map(), 0.5)).toBeNull();
  });

  it.each([
    [[7], 0.5, 7],
    [[7], 0.9, 7],
    [[1, 3], 0.5, 1],
    [[1, 2, 3], 0.5, 2],
    [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9, 9],
    [[0, 0, 0, 100], 0.5, 0],
  ])('of %j at %d is %d', (values, q, expected) => {
    expect(quantile(countsOf(values), q)).toBe(expected);
  });

  it('is a value that the share q does not exceed, and the smallest such value', () => {
    const values = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1 });
    fc.assert(
      fc.property(values, fc.constantFrom(0.5, 0.9), (all, q) => {
        const found = quantile(countsOf(all), q) ?? -1;
        const within = (limit: number): number => all.filter((value) => value <= limit).length;
        expect(all).toContain(found);
        expect(within(found)).toBeGreaterThanOrEqual(q * all.length - 1e-9);
        expect(within(found - 1)).toBeLessThan(q * all.length + 1e-9);
      }),
    );
  });

  function countsOf(values: readonly number[]): Map<number, number> {
    return values.reduce((counts, value) => counts.set(value, (counts.get(value) ?? 0) + 1), new Map<number, number>());
  }
});
