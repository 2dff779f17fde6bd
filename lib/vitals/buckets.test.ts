import fc from 'fast-check';
import { bucketWidth, toBuckets, type Bucket } from './buckets';

const second = 1_000;
const hour = 3_600_000;
const day = 24 * hour;

/** Samples in the order of their times. */
const samples = fc
  .array(
    fc.record({
      takenAt: fc.integer({ min: 0, max: 10 * day }),
      value: fc.option(fc.integer({ min: 0, max: 300 })),
      questionable: fc.boolean(),
    }),
    { maxLength: 200 },
  )
  .map((parts) => parts.sort((a, b) => a.takenAt - b.takenAt));
const width = fc.integer({ min: 1, max: day });

/** A value of null is an invalid sample. */
const asParts = (rows: readonly { takenAt: number; value: number | null; questionable?: boolean }[]): Bucket[] =>
  rows.map(({ takenAt, value, questionable }) => ({
    takenAt,
    min: value,
    max: value,
    last: value,
    count: value === null ? 0 : 1,
    questionable: value !== null && questionable === true ? 1 : 0,
    invalid: value === null ? 1 : 0,
  }));

describe('bucketWidth', () => {
  it.each([
    [0, 1_000, second],
    [60 * second, 61, second],
    [60 * second, 60, 2 * second],
    [hour, 1_000, 5 * second],
    [4 * hour, 1_000, 15 * second],
    [day, 1_000, 120 * second],
    [day, 1_441, 60 * second],
    [14 * day, 1_000, 1_800 * second],
    [day, 2, day],
    [day + 1, 2, 2 * day],
    [400 * day, 2, 400 * day],
    [400 * day, 101, 4 * day],
  ])('for a span of %d ms and %d points is %d ms', (span, points, expected) => {
    expect(bucketWidth(span, points)).toBe(expected);
  });

  it('never needs more points than asked, wherever the window starts', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 400 * day }),
        fc.integer({ min: 0, max: 400 * day }),
        fc.integer({ min: 2, max: 2_000 }),
        (from, span, points) => {
          const chosen = bucketWidth(span, points);
          expect(Math.floor((from + span) / chosen) - Math.floor(from / chosen) + 1).toBeLessThanOrEqual(points);
        },
      ),
    );
  });

  it('is a round time: it divides a day, or days divide it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 * day }), fc.integer({ min: 2, max: 2_000 }), (span, points) => {
        const chosen = bucketWidth(span, points);
        expect(Math.max(chosen, day) % Math.min(chosen, day)).toBe(0);
      }),
    );
  });
});

describe('toBuckets', () => {
  it('returns no bucket for no samples', () => {
    expect(toBuckets([], hour)).toEqual([]);
  });

  it('keeps a spike of one sample, the last value and the counts, and leaves a gap open', () => {
    const rows = [
      { takenAt: 1_000, value: 97, questionable: true },
      { takenAt: 2_000, value: 71 },
      { takenAt: 9_000, value: 96 },
      { takenAt: 9_999, value: null },
      { takenAt: 30_000, value: null },
      { takenAt: 40_000, value: 0 },
    ];
    expect(toBuckets(asParts(rows), 10_000)).toEqual([
      { takenAt: 0, min: 71, max: 97, last: 96, count: 3, questionable: 1, invalid: 1 },
      { takenAt: 30_000, min: null, max: null, last: null, count: 0, questionable: 0, invalid: 1 },
      { takenAt: 40_000, min: 0, max: 0, last: 0, count: 1, questionable: 0, invalid: 0 },
    ]);
  });

  it('changes none of the parts it is given', () => {
    const parts = asParts([
      { takenAt: 0, value: 1 },
      { takenAt: 1, value: 2 },
    ]);
    const before = structuredClone(parts);
    toBuckets(parts, hour);
    expect(parts).toEqual(before);
  });

  it('has in each bucket the extremes, the last value and the number of its samples, in order, on round times', () => {
    fc.assert(
      fc.property(samples, width, (rows, widthMs) => {
        const buckets = toBuckets(asParts(rows), widthMs);
        const starts = [...new Set(rows.map(({ takenAt }) => Math.floor(takenAt / widthMs) * widthMs))];
        expect(buckets).toEqual(
          starts.map((takenAt) => {
            const inside = rows.filter((row) => row.takenAt >= takenAt && row.takenAt < takenAt + widthMs);
            const valid = inside.filter(({ value }) => value !== null);
            const values = valid.flatMap(({ value }) => (value === null ? [] : [value]));
            return {
              takenAt,
              min: values.length === 0 ? null : Math.min(...values),
              max: values.length === 0 ? null : Math.max(...values),
              last: values.at(-1) ?? null,
              count: values.length,
              questionable: valid.filter(({ questionable }) => questionable).length,
              invalid: inside.length - values.length,
            };
          }),
        );
      }),
    );
  });

  it('returns the same for buckets as for the samples in them', () => {
    fc.assert(
      fc.property(
        samples,
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 1, max: 50 }),
        (rows, narrow, times) => {
          const once = toBuckets(asParts(rows), narrow * times);
          expect(toBuckets(toBuckets(asParts(rows), narrow), narrow * times)).toEqual(once);
        },
      ),
    );
  });
});
