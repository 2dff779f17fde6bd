import fc from 'fast-check';
import { chartGaps } from './chartGaps';
import type { ChartLine } from './chartLine';

const minute = 60_000;
const window = { from: 0, to: 60 * minute };

function line(instants: readonly number[], more: Partial<ChartLine> = {}): ChartLine {
  const runs = instants.map((at) => [{ at, value: 97, low: 97, high: 97, count: 1, quality: 'good' as const }]);
  return { kind: 'heartRate', bucketMs: 0, gapMs: 10 * minute, runs, invalidAt: [], ...more };
}

const everyFive = Array.from({ length: 13 }, (_, index) => index * 5 * minute);

describe('chartGaps', () => {
  it('is the whole window when there is nothing', () => {
    expect(chartGaps([line([])], window)).toEqual([{ ...window, cause: 'no data' }]);
    expect(chartGaps([], window)).toEqual([{ ...window, cause: 'no data' }]);
  });

  it('is nothing while samples keep coming', () => {
    expect(chartGaps([line(everyFive)], window)).toEqual([]);
  });

  it('finds the time before the first, between two and after the last sample', () => {
    expect(chartGaps([line([15 * minute, 20 * minute, 35 * minute, 40 * minute])], window)).toEqual([
      { from: 0, to: 15 * minute, cause: 'no data' },
      { from: 20 * minute, to: 35 * minute, cause: 'no data' },
      { from: 40 * minute, to: 60 * minute, cause: 'no data' },
    ]);
  });

  it('is none at the limit and one just past it', () => {
    expect(chartGaps([line([0, 10 * minute])], { from: 0, to: 20 * minute })).toEqual([]);
    expect(chartGaps([line([0, 10 * minute])], { from: 0, to: 20 * minute + 1 })).toHaveLength(1);
  });

  it('says "no signal" if the device reported that it measured nothing', () => {
    expect(chartGaps([line([], { invalidAt: [5 * minute] })], window)).toEqual([{ ...window, cause: 'no signal' }]);
  });

  it.each([
    ['the bucket before the gap has a value too', [0], [0], 'no data'],
    ['the bucket after the gap has a value too', [0, 50], [50], 'no data'],
    ['a bucket in the gap has no value', [0, 50], [0, 20, 50], 'no signal'],
  ] as const)('of buckets, when %s: %j with no signal at %j', (_name, measured, silent, cause) => {
    const at = (minutes: readonly number[]): number[] => minutes.map((one) => one * minute);
    const buckets = line(at(measured), { bucketMs: 10 * minute, gapMs: 20 * minute, invalidAt: at(silent) });
    expect(chartGaps([buckets], window)).toEqual([
      { from: 10 * minute, to: measured.length > 1 ? 50 * minute : 60 * minute, cause },
    ]);
  });

  it('of a bucket without a signal that begins before the window is "no signal"', () => {
    const buckets = line([], { bucketMs: 10 * minute, invalidAt: [-5 * minute] });
    expect(chartGaps([buckets], window)).toEqual([{ ...window, cause: 'no signal' }]);
    expect(chartGaps([{ ...buckets, invalidAt: [-10 * minute] }], window)).toEqual([{ ...window, cause: 'no data' }]);
  });

  it('has no hatching where the other line has data', () => {
    const pulse = line(everyFive, { kind: 'pulseRate' });
    expect(chartGaps([line([0]), pulse], window)).toEqual([]);
  });

  it('counts a bucket as covering its whole length', () => {
    const buckets = line([0, 10 * minute], { bucketMs: 10 * minute, gapMs: 15 * minute });
    expect(chartGaps([buckets], { from: 0, to: 35 * minute })).toEqual([]);
    expect(chartGaps([buckets], { from: 0, to: 36 * minute })).toEqual([
      { from: 20 * minute, to: 36 * minute, cause: 'no data' },
    ]);
  });

  it('is none inside a stretch that a line joins, nor at its ends within two of its steps', () => {
    const points = Array.from({ length: 9 }, (_, index) => ({
      at: (index * 5 + 10) * minute,
      value: 97,
      low: 97,
      high: 97,
      count: 1,
      quality: 'good' as const,
    }));
    const joined = line([], { gapMs: minute, runs: [points] });
    expect(chartGaps([joined], window)).toEqual([]);
    expect(chartGaps([joined], { from: -2 * minute, to: 60 * minute })).toEqual([
      { from: -2 * minute, to: 10 * minute, cause: 'no data' },
    ]);
    expect(chartGaps([joined], { from: 0, to: 60 * minute })).toEqual([]);
    expect(chartGaps([joined], { from: 0, to: 60 * minute + 1 })).toEqual([
      { from: 50 * minute, to: 60 * minute + 1, cause: 'no data' },
    ]);
  });

  it('has no sample inside a gap, and gaps are in order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 60 * minute })), (instants) => {
        const sorted = [...instants].sort((a, b) => a - b);
        const gaps = chartGaps([line(sorted)], window);
        for (const [index, gap] of gaps.entries()) {
          expect(sorted.some((at) => gap.from < at && at < gap.to)).toBe(false);
          expect(gap.to - gap.from).toBeGreaterThan(sorted.length === 0 ? 0 : 10 * minute);
          expect(gap.from).toBeGreaterThanOrEqual(gaps[index - 1]?.to ?? 0);
        }
      }),
    );
  });
});
