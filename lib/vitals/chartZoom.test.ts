import fc from 'fast-check';
import { zoomIn, zoomMove, zoomTo } from './chartZoom';

const minute = 60_000;
const whole = { from: 0, to: 60 * minute };
const minutes = ([from, to]: readonly [number, number]) => ({ from: from * minute, to: to * minute });

describe('zoomTo', () => {
  it.each([
    ['a part', [10, 20], [10, 20]],
    ['less than a minute, around its middle', [10, 10.5], [9.75, 10.75]],
    ['one instant', [30, 30], [29.5, 30.5]],
    ['less than a minute at the beginning', [0, 0.1], [0, 1]],
    ['less than a minute at the end', [59.9, 60], [59, 60]],
    ['a part that begins before', [-5, 5], [0, 10]],
    ['a part that ends after', [55, 65], [50, 60]],
    ['more than all', [-10, 100], [0, 60]],
  ] as const)('shows of an hour %s: %j as %j', (_name, wanted, shown) => {
    expect(zoomTo(whole, minutes(wanted))).toEqual({ whole, window: minutes(shown) });
  });

  it('shows all of a time that is shorter than a minute', () => {
    expect(zoomTo(minutes([0, 0.5]), minutes([0.1, 0.2])).window).toEqual(minutes([0, 0.5]));
  });

  it('always stays inside, long enough and on whole milliseconds', () => {
    const wanted = fc.record({
      from: fc.double({ min: -1e7, max: 1e7, noNaN: true }),
      span: fc.double({ min: 0, max: 1e7, noNaN: true }),
    });
    const steps = fc.array(fc.constantFrom('in', 'earlier', 'later'), { maxLength: 20 });
    fc.assert(
      fc.property(wanted, steps, ({ from, span }, done) => {
        let zoom = zoomTo(whole, { from, to: from + span });
        for (const step of ['none', ...done] as const) {
          zoom = step === 'in' ? zoomIn(zoom) : step === 'none' ? zoom : zoomMove(zoom, step);
          const { window } = zoom;
          expect(window.from).toBeGreaterThanOrEqual(whole.from);
          expect(window.to).toBeLessThanOrEqual(whole.to);
          expect(window.to - window.from).toBeGreaterThanOrEqual(minute);
          expect([window.from, window.to].every(Number.isInteger)).toBe(true);
        }
      }),
    );
  });
});

describe('zoomIn', () => {
  it('shows the middle half, down to a minute', () => {
    expect(zoomIn({ whole, window: whole }).window).toEqual(minutes([15, 45]));
    expect(zoomIn({ whole, window: minutes([10, 11]) }).window).toEqual(minutes([10, 11]));
  });
});

describe('zoomMove', () => {
  it.each([
    ['earlier', [20, 30], [15, 25]],
    ['later', [20, 30], [25, 35]],
    ['earlier', [2, 12], [0, 10]],
    ['later', [48, 58], [50, 60]],
    ['later', [0, 60], [0, 60]],
  ] as const)('moves %s from %j to %j', (direction, window, moved) => {
    expect(zoomMove({ whole, window: minutes(window) }, direction).window).toEqual(minutes(moved));
  });
});
