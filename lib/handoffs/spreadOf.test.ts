import fc from 'fast-check';
import { spreadOf } from './spreadOf';

describe('the spread of minutes', () => {
  it('is none without a minute', () => {
    expect(spreadOf([])).toBeNull();
  });

  it('has the extremes of all values and the median of the last ones', () => {
    const minutes = [
      { min: 70, last: 95, max: 97 },
      { min: 94, last: 94, max: 99 },
      { min: 88, last: 90, max: 95 },
    ];
    expect(spreadOf(minutes)).toEqual({ min: 70, median: 94, max: 99, minutes: 3 });
  });

  it('has a median that was measured, with as many below as above', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 40, max: 200 }), { minLength: 1 }), (values) => {
        const median = spreadOf(values.map((last) => ({ min: last, last, max: last })))?.median ?? NaN;
        const half = values.length / 2;
        expect(values).toContain(median);
        expect(values.filter((value) => value < median).length).toBeLessThanOrEqual(half);
        expect(values.filter((value) => value > median).length).toBeLessThanOrEqual(half);
      }),
    );
  });
});
