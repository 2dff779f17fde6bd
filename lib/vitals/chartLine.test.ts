import fc from 'fast-check';
import { toInstant } from '../time/schema';
import { chartLine, extremesOf, pointsOf } from './chartLine';
import { vitalSeries, type Quality, type VitalSeries } from './schema';

const start = Date.UTC(2026, 2, 7, 14);

type RawSample = [second: number, value: number, quality?: Quality];

function raw(samples: readonly RawSample[], kind: VitalSeries['kind'] = 'spo2'): VitalSeries {
  const points = samples.map(([second, value, quality = 'good']) => ({
    takenAt: toInstant(start + second * 1_000),
    value,
    quality,
  }));
  return { kind, unit: '%', bucketMs: 0, points };
}

const secondsOf = (series: VitalSeries, context: Parameters<typeof chartLine>[1]): number[][] =>
  chartLine(series, context).runs.map((run) => run.map(({ at }) => (at - start) / 1_000));

/**
 * Buckets of a minute: the minute, how many samples have a value, how many of those are questionable, and how many say
 * "no signal".
 */
type BucketSample = [minute: number, count: number, questionable?: number, invalid?: number];

function buckets(samples: readonly BucketSample[]): VitalSeries {
  const takenAt = (minute: number): string => toInstant(start + minute * 60_000);
  return {
    kind: 'spo2',
    unit: '%',
    bucketMs: 60_000,
    points: samples.flatMap(([minute, count, questionable = 0]) =>
      count === 0 ? [] : [{ takenAt: takenAt(minute), min: 85, max: 99, last: 97, count, questionable }],
    ),
    noSignal: samples.flatMap(([minute, , , invalid = 0]) =>
      invalid === 0 ? [] : [{ takenAt: takenAt(minute), count: invalid }],
    ),
  };
}

const minutesOf = (series: VitalSeries): number[][] =>
  secondsOf(series, continuous).map((run) => run.map((second) => second / 60));

/** Returns whether one of the three intervals before or after a join is at least half as long. */
function isOwnPace(instants: readonly number[], { from, to }: { from: number; to: number }): boolean {
  const at = instants.indexOf(to);
  const near = [-3, -2, -1, 1, 2, 3].map((step) => {
    const [begin, end] = [instants[at + step - 1], instants[at + step]];
    return begin === undefined || end === undefined ? 0 : end - begin;
  });
  return near.some((interval) => 2 * interval >= to - from);
}

const continuous = { expectedEveryMs: 1_000, spot: false };

describe('chartLine', () => {
  it('never draws an invalid sample, and breaks the line there', () => {
    const line = chartLine(
      raw([
        [0, 97],
        [1, 0, 'invalid'],
        [2, 96],
      ]),
      continuous,
    );
    expect(line.runs.map((run) => run.map(({ value }) => value))).toEqual([[97], [96]]);
    expect(line.invalidAt).toEqual([start + 1_000]);
  });

  it.each([
    ['30 s at one sample a second', 1_000, 30, 1],
    ['more than 30 s at one sample a second', 1_000, 30.001, 2],
    ['two intervals of a minute', 60_000, 120, 1],
    ['more than two intervals of a minute', 60_000, 120.001, 2],
    ['30 s without a known interval', undefined, 30, 1],
    ['more than 30 s without a known interval', undefined, 31, 2],
  ])('after %s gives the right number of runs', (_name, expectedEveryMs, second, runs) => {
    expect(
      chartLine(
        raw([
          [0, 97],
          [second, 96],
        ]),
        { expectedEveryMs, spot: false },
      ).runs,
    ).toHaveLength(runs);
  });

  it('joins values that keep a slower step than the device says now, and breaks after two of their steps', () => {
    const everyMinute = [0, 60, 120, 180, 240, 360, 420, 480];
    const runs = (seconds: readonly number[]): number[][] =>
      secondsOf(raw(seconds.map((second): RawSample => [second, 97])), continuous);
    expect(runs(everyMinute)).toEqual([everyMinute]);
    expect(runs([...everyMinute, 601, 660, 720, 780])).toEqual([everyMinute, [601, 660, 720, 780]]);
    // A recording that goes on live: both are drawn, and nothing between them is missing.
    const goesOn = [0, 60, 120, 180, 240, 300, 301, 302, 303];
    expect(runs(goesOn)).toEqual([goesOn]);
  });

  it('breaks at a silence among values that come each second, however it is repeated', () => {
    const second = (from: number): number[] => Array.from({ length: 10 }, (_, index) => from + index);
    const samples = [...second(0), ...second(60), ...second(120)].map((at): RawSample => [at, 97]);
    expect(secondsOf(raw(samples), continuous)).toHaveLength(3);
  });

  it('joins no values that are more than five minutes apart, however regular', () => {
    const samples = [0, 301, 602, 903, 1_204].map((at): RawSample => [at, 97]);
    expect(secondsOf(raw(samples), continuous)).toHaveLength(5);
  });

  it('keeps a heart rate of 0: asystole is a value', () => {
    const line = chartLine(
      raw(
        [
          [0, 60],
          [1, 0],
          [2, 0],
        ],
        'heartRate',
      ),
      continuous,
    );
    expect(line.runs.map((run) => run.map(({ value }) => value))).toEqual([[60, 0, 0]]);
    expect(extremesOf([line])).toEqual({ low: 0, high: 60 });
  });

  it('joins what was typed in to nothing, and draws the line of the device past it', () => {
    const series = raw([
      [0, 97],
      [1, 97],
      [2, 80],
      [3, 97],
      [4, 96],
      [9, 95],
    ]);
    const typed = new Set([2, 9].map((second) => toInstant(start + second * 1_000)));
    const points = series.points.map((point) => ({
      ...point,
      ...(typed.has(point.takenAt) ? { isManual: true } : {}),
    }));
    expect(secondsOf(vitalSeries.parse({ ...series, points }), continuous)).toEqual([[2], [0, 1, 3, 4], [9]]);
  });

  it('says when a late sample arrived', () => {
    const arrived = raw([[0, 97]]);
    const points = arrived.points.map((point) => ({ ...point, receivedAt: toInstant(start + 90_000) }));
    expect(chartLine(vitalSeries.parse({ ...arrived, points }), continuous).runs).toMatchObject([
      [{ value: 97, receivedAt: start + 90_000 }],
    ]);
  });

  it('keeps a questionable sample in the line and says so', () => {
    const line = chartLine(
      raw([
        [0, 97],
        [1, 90, 'questionable'],
      ]),
      continuous,
    );
    expect(line.runs.map((run) => run.map(({ quality }) => quality))).toEqual([['good', 'questionable']]);
  });

  it('joins no two spot checks, however near', () => {
    expect(
      secondsOf(
        raw([
          [0, 97],
          [1, 96],
          [2, 95],
        ]),
        { expectedEveryMs: 1_000, spot: true },
      ),
    ).toEqual([[0], [1], [2]]);
  });

  it('breaks buckets after more than two of them', () => {
    const series = buckets([
      [0, 60],
      [2, 60],
      [5, 60],
    ]);
    expect(minutesOf(series)).toEqual([[0, 2], [5]]);
    expect(pointsOf([chartLine(series, continuous)])[0]).toMatchObject({ value: 97, low: 85, high: 99, count: 60 });
  });

  it.each<[string, BucketSample[], number[][], number[]]>([
    ['that holds nothing else', [[0, 60], [1, 0, 0, 60], [2, 60]], [[0], [2]], [1]],
    ['that has a value too', [[0, 60], [1, 1, 0, 59], [2, 60]], [[0, 1, 2]], [1]],
    ['before the first and after the last value', [[0, 0, 0, 1], [1, 60], [2, 0, 0, 1]], [[1]], [0, 2]],
    ['alone', [[0, 0, 0, 60]], [], [0]],
  ])('of a bucket with "no signal" %s', (_name, samples, runs, silent) => {
    const series = buckets(samples);
    expect(minutesOf(series)).toEqual(runs);
    expect(chartLine(series, continuous).invalidAt).toEqual(silent.map((minute) => start + minute * 60_000));
  }); // prettier-ignore

  it.each([
    [60, 0, 'good'],
    [60, 29, 'good'],
    [60, 30, 'questionable'],
    [60, 60, 'questionable'],
    [1, 0, 'good'],
    [1, 1, 'questionable'],
    [3, 1, 'good'],
    [3, 2, 'questionable'],
  ])('of a bucket of %d samples with %d questionable ones is %s', (count, questionable, quality) => {
    expect(
      pointsOf([chartLine(buckets([[0, count, questionable]]), continuous)]).map((point) => point.quality),
    ).toEqual([quality]);
  });

  it('keeps every bucket with a value, in order, and joins none across one that holds only "no signal"', () => {
    const list = fc.array(
      fc.record({
        count: fc.nat({ max: 60 }),
        doubt: fc.double({ min: 0, max: 1, noNaN: true }),
        invalid: fc.nat({ max: 60 }),
      }),
      {
        maxLength: 100,
      },
    );
    fc.assert(
      fc.property(list, fc.boolean(), (minutes, spot) => {
        const samples = minutes.map(({ count, doubt, invalid }, minute): BucketSample => [
          minute,
          count,
          Math.round(doubt * count),
          invalid,
        ]);
        const line = chartLine(buckets(samples), { expectedEveryMs: 1_000, spot });
        const measured = samples.filter(([, count]) => count > 0);
        expect(pointsOf([line]).map(({ at, count, quality }) => [(at - start) / 60_000, count, quality])).toEqual(
          measured.map(([minute, count, questionable = 0]) => [
            minute,
            count,
            questionable >= count / 2 ? 'questionable' : 'good',
          ]),
        );
        expect(line.invalidAt).toEqual(
          samples.filter(([, , , invalid = 0]) => invalid > 0).map(([minute]) => start + minute * 60_000),
        );
        const silent = samples
          .filter(([, count, , invalid = 0]) => count === 0 && invalid > 0)
          .map(([minute]) => start + minute * 60_000);
        const joined = line.runs.flatMap((run) =>
          run.slice(1).map((point, index) => ({ from: run[index]?.at ?? 0, to: point.at })),
        );
        const instants = samples
          .filter(([, count, , invalid = 0]) => count + invalid > 0)
          .map(([minute]) => start + minute * 60_000);
        expect(joined.filter((join) => join.to - join.from > 120_000 && !isOwnPace(instants, join))).toEqual([]);
        expect(joined.filter(({ from, to }) => silent.some((at) => from < at && at < to))).toEqual([]);
        expect(joined.length).toBeLessThanOrEqual(spot ? 0 : measured.length);
      }),
    );
  });

  it('keeps every valid sample, in order, and never joins across a gap or an invalid one', () => {
    const samples = fc
      .array(
        fc.tuple(
          fc.integer({ min: 1, max: 90 }),
          fc.integer({ min: 0, max: 100 }),
          fc.constantFrom<Quality>('good', 'questionable', 'invalid'),
        ),
        { maxLength: 200 },
      )
      .map((steps) => {
        let second = 0;
        return steps.map(([step, value, quality]): RawSample => {
          second += step;
          return [second, value, quality];
        });
      });
    fc.assert(
      fc.property(samples, fc.integer({ min: 1, max: 60 }), fc.boolean(), (list, everySecond, spot) => {
        const line = chartLine(raw(list), { expectedEveryMs: everySecond * 1_000, spot });
        const kept = pointsOf([line]).map(({ at, value }) => [(at - start) / 1_000, value]);
        const valid = list.filter(([, , quality]) => quality !== 'invalid');
        expect(kept).toEqual(valid.map(([second, value]) => [second, value]));
        expect(line.invalidAt).toHaveLength(list.length - valid.length);
        const joined = line.runs.flatMap((run) =>
          run.slice(1).map((point, index) => ({ from: run[index]?.at ?? 0, to: point.at })),
        );
        const limit = Math.max(2_000 * everySecond, 30_000);
        const instants = list.map(([second]) => start + second * 1_000);
        expect(joined.filter((join) => join.to - join.from > limit && !isOwnPace(instants, join))).toEqual([]);
        expect(joined.filter(({ from, to }) => line.invalidAt.some((at) => from < at && at < to))).toEqual([]);
        expect(joined.length).toBeLessThanOrEqual(spot ? 0 : valid.length);
      }),
    );
  });

  it('draws an envelope that holds every value', () => {
    const extremes = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 })),
    );
    fc.assert(
      fc.property(extremes, (list) => {
        const points = list.map((values, index) => {
          const [min = 0, last = 0, max = 0] = [...values].sort((a, b) => a - b);
          return { takenAt: toInstant(start + index * 60_000), min, max, last, count: 3, questionable: 0 };
        });
        const line = chartLine({ kind: 'spo2', unit: '%', bucketMs: 60_000, points, noSignal: [] }, continuous);
        const drawn = extremesOf([line]);
        for (const { low, value, high } of pointsOf([line])) {
          expect(low).toBeLessThanOrEqual(value);
          expect(value).toBeLessThanOrEqual(high);
          expect(drawn?.low).toBeLessThanOrEqual(low);
          expect(drawn?.high).toBeGreaterThanOrEqual(high);
        }
        expect(pointsOf([line])).toHaveLength(list.length);
      }),
    );
  });
});
