import fc from 'fast-check';
import { axisSplits, chartAxis, type ChartQuantity } from './chartAxis';

describe('chartAxis', () => {
  it.each([
    ['spo2', null, 80, 100, false],
    ['spo2', { low: 97, high: 98 }, 80, 100, false],
    ['spo2', { low: 80, high: 100 }, 80, 100, false],
    ['spo2', { low: 79, high: 100 }, 70, 100, true],
    ['spo2', { low: 70, high: 100 }, 70, 100, true],
    ['spo2', { low: 69, high: 100 }, 50, 100, true],
    ['spo2', { low: 50, high: 100 }, 50, 100, true],
    ['spo2', { low: 49, high: 100 }, 0, 100, true],
    ['rate', null, 40, 160, false],
    ['rate', { low: 40, high: 160 }, 40, 160, false],
    ['rate', { low: 39, high: 80 }, 20, 240, true],
    ['rate', { low: 80, high: 161 }, 20, 240, true],
    ['rate', { low: 20, high: 240 }, 20, 240, true],
    ['rate', { low: 19, high: 80 }, 0, 240, true],
    ['rate', { low: 0, high: 0 }, 0, 240, true],
    ['rate', { low: 0, high: 240 }, 0, 240, true],
    ['rate', { low: 0, high: 241 }, 0, 300, true],
    ['rate', { low: 80, high: 241 }, 0, 300, true],
  ] as const)('of %s with %j is %d to %d, changed: %s', (quantity, extremes, min, max, changed) => {
    expect(chartAxis(quantity, extremes)).toMatchObject({ min, max, changed });
  });

  it('contains every value that can be measured', () => {
    const measured = fc.oneof(
      fc.tuple(
        fc.constant<ChartQuantity>('spo2'),
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
      ),
      fc.tuple(
        fc.constant<ChartQuantity>('rate'),
        fc.double({ min: 0, max: 300, noNaN: true }),
        fc.double({ min: 0, max: 300, noNaN: true }),
      ),
    );
    fc.assert(
      fc.property(measured, ([quantity, one, other]) => {
        const axis = chartAxis(quantity, { low: Math.min(one, other), high: Math.max(one, other) });
        expect(axis.min).toBeLessThanOrEqual(Math.min(one, other));
        expect(axis.max).toBeGreaterThanOrEqual(Math.max(one, other));
      }),
    );
  });
});

describe('axisSplits', () => {
  it.each([
    [{ min: 80, max: 100, step: 5 }, [80, 85, 90, 95, 100]],
    [{ min: 20, max: 240, step: 40 }, [40, 80, 120, 160, 200, 240]],
    [{ min: 0, max: 300, step: 50 }, [0, 50, 100, 150, 200, 250, 300]],
  ])('of %j are at round values inside', (axis, splits) => {
    expect(axisSplits(axis)).toEqual(splits);
  });
});
