import fc from 'fast-check';
import { toInstant } from '../time/schema';
import { chartLine, extremesOf, pointsOf } from './chartLine';
import { tickLabels, timeTicks } from './chartTicks';
import { zoomIn, zoomMove, zoomTo } from './chartZoom';
import { roundVital } from './roundVital';
import { type Quality, vitalSeries, type VitalSeries } from './schema';
import {
  formatSparkMinute,
  readSpark,
  sparkExtremes,
  sparkKinds,
  type SparkMinute,
  sparkMinutes,
  sparkPattern,
} from './spark';
import { sparkAxis, sparkShape, sparkSize } from './sparkShape';
import { spreadLabels } from './spreadLabels';

describe('chartLine', () => {
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
   * Buckets of a minute: the minute, how many samples have a value, how many of those are questionable, and how many
   * say "no signal".
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

describe('timeTicks', () => {
  const hour = 3_600_000;

  function labels(from: number, hours: number, timeZone: string, mostTicks: number): string[] {
    return tickLabels(timeTicks({ from, to: from + hours * hour }, timeZone, mostTicks), timeZone);
  }

  it.each([
    ['an hour, wide', 1, 15, '2026-01-05T12:00:00Z', 'Europe/London', 13],
    ['an hour, narrow', 1, 6, '2026-01-05T12:00:00Z', 'Europe/London', 7],
    ['four hours', 4, 9, '2026-01-05T12:00:00Z', 'Europe/London', 9],
    ['a day', 24, 12, '2026-01-05T12:00:00Z', 'Europe/London', 13],
  ])('puts round times in %s', (_name, hours, mostTicks, from, timeZone, count) => {
    expect(
      timeTicks({ from: Date.parse(from), to: Date.parse(from) + hours * hour }, timeZone, mostTicks),
    ).toHaveLength(count);
  });

  it('follows the site clock, also if it is a quarter of an hour off', () => {
    expect(labels(Date.parse('2026-01-05T12:00:00Z'), 4, 'Asia/Kathmandu', 5)).toEqual([
      '18:00\n05 Jan',
      '19:00',
      '20:00',
      '21:00',
    ]);
  });

  it('finds ten-minute ticks if the site is a quarter of an hour off', () => {
    expect(labels(Date.parse('2026-01-05T12:00:00Z'), 1, 'Asia/Kathmandu', 6)).toEqual([
      '17:50\n05 Jan',
      '18:00',
      '18:10',
      '18:20',
      '18:30',
      '18:40',
    ]);
  });

  it('shows seconds in a window of a minute or two, in any zone', () => {
    expect(labels(Date.parse('2026-01-05T12:00:05Z'), 1 / 60, 'Asia/Kathmandu', 6)).toEqual([
      '17:45:10\n05 Jan',
      '17:45:20',
      '17:45:30',
      '17:45:40',
      '17:45:50',
      '17:46:00',
    ]);
  });

  it('shows each minute in a window of some', () => {
    expect(labels(Date.parse('2026-01-05T12:00:05Z'), 4 / 60, 'Europe/London', 6)).toEqual([
      '12:01\n05 Jan',
      '12:02',
      '12:03',
      '12:04',
    ]);
  });

  it('puts days at midnight of the site', () => {
    const ticks = timeTicks(
      { from: Date.parse('2026-01-01T00:00:00Z'), to: Date.parse('2026-01-08T00:00:00Z') },
      'Asia/Tokyo',
      8,
    );
    expect(ticks.map((at) => new Date(at).toISOString().slice(11, 16))).toEqual(Array(7).fill('15:00'));
    expect(tickLabels(ticks, 'Asia/Tokyo')).toEqual([
      '02 Jan',
      '03 Jan',
      '04 Jan',
      '05 Jan',
      '06 Jan',
      '07 Jan',
      '08 Jan',
    ]);
  });

  it('keeps days at midnight across a change of the clocks', () => {
    expect(labels(Date.parse('2026-03-27T12:00:00Z'), 96, 'Europe/London', 5)).toEqual([
      '28 Mar',
      '29 Mar',
      '30 Mar',
      '31 Mar',
    ]);
  });

  it('shows both hours of the night the clocks go back, each with its zone', () => {
    expect(labels(Date.parse('2026-10-24T23:30:00Z'), 3, 'Europe/London', 6)).toEqual([
      '00:30\nBST 25 Oct',
      '01:00\nBST',
      '01:30\nBST',
      '01:00\nGMT',
      '01:30\nGMT',
      '02:00\nGMT',
      '02:30\nGMT',
    ]);
  });

  it('has no tick in the hour that the clocks skip', () => {
    expect(labels(Date.parse('2026-03-29T00:00:00Z'), 2, 'Europe/London', 4)).toEqual([
      '00:00\nGMT 29 Mar',
      '00:30\nGMT',
      '02:00\nBST',
      '02:30\nBST',
      '03:00\nBST',
    ]);
  });

  it('writes the date where a new day begins', () => {
    expect(labels(Date.parse('2026-01-05T22:00:00Z'), 4, 'UTC', 4)).toEqual([
      '22:00\n05 Jan',
      '23:00',
      '00:00\n06 Jan',
      '01:00',
      '02:00',
    ]);
  });

  it('stays inside the window, ascends, and never gives more ticks than fit by far, in any zone', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2_000_000_000 }),
        fc.constantFrom(1, 4, 12, 24, 168, 336),
        fc.constantFrom(
          'UTC',
          'Europe/London',
          'America/New_York',
          'Asia/Kathmandu',
          'Australia/Lord_Howe',
          'Africa/Casablanca',
        ),
        fc.integer({ min: 4, max: 20 }),
        (second, hours, timeZone, mostTicks) => {
          const from = second * 1_000;
          const ticks = timeTicks({ from, to: from + hours * hour }, timeZone, mostTicks);
          expect(ticks).toEqual([...new Set(ticks)].sort((a, b) => a - b));
          expect(ticks.every((at) => from <= at && at <= from + hours * hour)).toBe(true);
          expect(ticks.length).toBeLessThanOrEqual(mostTicks + 3);
          expect(ticks.length).toBeGreaterThan(0);
        },
      ),
    );
  });
});

describe('chartZoom', () => {
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
});

describe('the places of labels', () => {
  const room = { space: 15, top: 0, bottom: 120 };

  it.each<[string, number[], number[]]>([
    ['stay if there is room', [100, 20, 60], [100, 20, 60]],
    ['are one below the other if they meet', [30, 30, 31], [30, 45, 60]],
    ['move up at the foot', [119, 118, 117], [120, 105, 90]],
    ['begin at the top if there are too many', Array<number>(10).fill(50), [0, 15, 30, 45, 60, 75, 90, 105, 120, 135]],
    ['are none for none', [], []],
  ])('%s', (_name, wanted, places) => {
    expect(spreadLabels(wanted, room)).toEqual(places);
  });

  it('never overlap, keep their order, and stay inside while they fit', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 9 }), (wanted) => {
        const places = spreadLabels(wanted, room);
        const order = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
        const sorted = order.map((index) => places[index] ?? 0);
        expect(sorted.every((y, index) => index === 0 || y - (sorted[index - 1] ?? 0) >= room.space)).toBe(true);
        expect(sorted.every((y) => y >= room.top && y <= room.bottom)).toBe(true);
      }),
    );
  });
});

describe('spark', () => {
  /** A minute of samples, all good, or what `change` makes of it. */
  const samples = (
    min: number | null,
    max: number | null,
    change: { count?: number; questionable?: number; invalid?: number } = {},
  ) => ({
    min,
    max,
    count: min === null ? 0 : 60,
    questionable: 0,
    invalid: 0,
    ...change,
  });

  describe('a minute of a spark line', () => {
    it.each([
      ['nothing came', samples(null, null), ''],
      ['nothing but "no signal"', samples(null, null, { invalid: 1 }), 'x'],
      ['one value', samples(97, 97), '97'],
      ['extremes', samples(78, 97), '78-97'],
      ['extremes that are shown alike', samples(96.5, 97.4), '97'],
      ['a value and times without a signal', samples(91, 97, { count: 20, invalid: 40 }), '91-97'],
      ['few questionable ones that say what the others say', samples(97, 97, { questionable: 29 }), '97'],
      ['questionable ones, half of them', samples(97, 97, { questionable: 30 }), '97?'],
      ['a questionable one that may be the lowest', samples(91, 97, { questionable: 1 }), '91-97?'],
      ['asystole', samples(0, 0), '0'],
    ])('with %s', (_, minute, text) => {
      expect(formatSparkMinute('heartRate', minute)).toBe(text);
    });

    it('is read as it was written', () => {
      const value = fc.double({ min: 0, max: 300, noNaN: true });
      fc.assert(
        fc.property(fc.constantFrom(...sparkKinds), value, value, fc.nat(60), (kind, a, b, questionable) => {
          const text = formatSparkMinute(kind, samples(Math.min(a, b), Math.max(a, b), { questionable }));
          const low = roundVital(kind, Math.min(a, b));
          const high = roundVital(kind, Math.max(a, b));
          expect(readSpark(text)).toEqual([{ low, high, isDoubtful: questionable >= (low === high ? 30 : 1) }]);
          expect(`${text}${','.repeat(sparkMinutes - 1)}`).toMatch(sparkPattern);
        }),
      );
    });
  });

  describe('the text of a spark line', () => {
    const line = (...minutes: string[]): string =>
      [...Array<string>(sparkMinutes - minutes.length).fill(''), ...minutes].join(',');

    it.each([line(), line('97', '', 'x', '91-97?', '0'), Array<string>(sparkMinutes).fill('100-299?').join(',')])(
      'is %s',
      (text) => {
        expect(text).toMatch(sparkPattern);
        expect(readSpark(text)).toHaveLength(sparkMinutes);
      },
    );

    it.each([
      '',
      '97',
      `${line()},`,
      line().slice(1),
      line('97.5'),
      line('-1'),
      line('97-'),
      line('1000'),
      line('97 '),
      line('97??'),
      line('xx'),
      line('NaN'),
      `\n${line()}`,
    ])('is not %j', (text) => {
      expect(text).not.toMatch(sparkPattern);
    });

    it('from elsewhere is never read as values if it has none', () => {
      fc.assert(
        fc.property(fc.string(), (text) => {
          const values = readSpark(text).flatMap((minute) =>
            minute === null || minute === 'no signal' ? [] : [minute.low, minute.high],
          );
          expect(values.filter((value) => !Number.isInteger(value) || value < 0 || value > 999)).toEqual([]);
        }),
      );
      expect(readSpark('97,<b>,x,-,91-97?')).toEqual<SparkMinute[]>([
        { low: 97, high: 97, isDoubtful: false },
        null,
        'no signal',
        null,
        { low: 91, high: 97, isDoubtful: true },
      ]);
    });
  });

  describe('the extremes of a spark line', () => {
    it.each([
      ['', null],
      ['x,,x', null],
      ['97', { low: 97, high: 97 }],
      ['91-97,,88?,x,99', { low: 88, high: 99 }],
      ['0,70', { low: 0, high: 70 }],
    ])('of %j are %j', (text, extremes) => {
      expect(sparkExtremes(readSpark(text))).toEqual(extremes);
    });
  });
});

describe('sparkShape', () => {
  const continuous = { expectedEveryMs: 1_000, isSpot: false };
  const read = (...minutes: string[]) =>
    readSpark([...minutes, ...Array<string>(sparkMinutes - minutes.length).fill('')].join(','));
  const spo2 = (...minutes: string[]) => sparkShape(read(...minutes), 'spo2', continuous);

  /** Each part of a path: what follows one "M". */
  const parts = (path: string): string[] => path.split('M').slice(1);

  describe('the axis of spark lines', () => {
    it('is that of the charts', () => {
      expect([sparkAxis('spo2'), sparkAxis('heartRate'), sparkAxis('pulseRate')]).toEqual([
        { min: 80, max: 100 },
        { min: 40, max: 160 },
        { min: 40, max: 160 },
      ]);
    });

    it.each([
      ['spo2', '100', 1.5],
      ['spo2', '99', 2.5],
      ['spo2', '80', 21.5],
      ['heartRate', '160', 1.5],
      ['heartRate', '100', 11.5],
      ['pulseRate', '40', 21.5],
    ] as const)('always gives %s %s the same height', (kind, value, y) => {
      for (const others of [[], ['90'], ['50', '70', '120']]) {
        const [first] = parts(sparkShape(read(value, '', ...others), kind, continuous).line);
        expect(first).toBe(`0 ${y}H1H0z`);
      }
    });
  });

  describe('a spark line', () => {
    it('is empty if nothing was measured', () => {
      expect(spo2()).toEqual({ line: '', doubt: '', beyond: '' });
      expect(spo2('x', 'x')).toEqual({ line: '', doubt: '', beyond: '' });
    });

    it('is level if the value is', () => {
      expect(spo2('97', '97', '97').line).toBe('M0 4.5H3H0z');
    });

    it('reaches from the lowest to the highest value of each minute, so that a fall of seconds is seen', () => {
      expect(spo2('97', '85-97', '97').line).toBe('M0 4.5H3H2V16.5H1V4.5H0z');
    });

    it.each([
      ['an empty minute', ['97', '', '97'], 1_000, 2],
      ['an empty minute where a value a minute is due', ['97', '', '97'], 60_000, 1],
      ['two empty minutes where a value a minute is due', ['97', '', '', '97'], 60_000, 2],
      ['a minute without a signal', ['97', 'x', '97'], 60_000, 2],
      [
        'nine empty minutes where a value every five minutes is due',
        ['97', ...Array<string>(9).fill(''), '97'],
        300_000,
        1,
      ],
      [
        'ten empty minutes where a value every five minutes is due',
        ['97', ...Array<string>(10).fill(''), '97'],
        300_000,
        2,
      ],
    ])('around %s has the right number of parts', (_, minutes, expectedEveryMs, count) => {
      expect(parts(sparkShape(read(...minutes), 'spo2', { expectedEveryMs, isSpot: false }).line)).toHaveLength(count);
    });

    it('shows the mostly questionable minutes apart', () => {
      const { line, doubt } = spo2('97', '90?', '91?', '97');
      expect(parts(line)).toEqual(['0 4.5H1H0z', '3 4.5H4H3z']);
      expect(parts(doubt)).toEqual(['1 11.5H2V10.5H3H2V11.5H1z']);
    });

    it('is clipped at the edges and says so there', () => {
      expect(spo2('70-97', '80', '79?', '100')).toMatchObject({ beyond: 'M0 22h1M2 22h1' });
      expect(sparkShape(read('39-161', '40-160'), 'heartRate', continuous).beyond).toBe('M0 1h1M0 22h1');
    });

    it('is no line if values are spot checks', () => {
      const { line, doubt } = sparkShape(read('97', '95-96', '90?'), 'spo2', {
        expectedEveryMs: 28_800_000,
        isSpot: true,
      });
      expect(line).toBe('M0.5 4.5h0M1.5 5.5h0M1.5 6.5h0');
      expect(doubt).toBe('M2.5 11.5h0');
    });

    it('never leaves its box, for any minutes', () => {
      const minute = fc.oneof(
        fc.string(),
        fc.constantFrom('', 'x'),
        fc.tuple(fc.nat(999), fc.nat(999)).map((pair) => pair.join('-')),
      );
      fc.assert(
        fc.property(
          fc.array(minute, { maxLength: 80 }),
          fc.boolean(),
          fc.nat(600_000),
          (minutes, isSpot, expectedEveryMs) => {
            const shape = sparkShape(readSpark(minutes.join(',')), 'spo2', { expectedEveryMs, isSpot });
            for (const path of [shape.line, shape.doubt]) {
              expect(path).toMatch(/^[MHVLhz\d. ]*$/);
              for (const [, x, y] of path.matchAll(/[ML]([\d.]+) ([\d.]+)/g)) {
                expect(Number(x)).toBeLessThanOrEqual(sparkSize.width);
                expect(Number(y)).toBeLessThanOrEqual(sparkSize.height);
              }
            }
          },
        ),
      );
    });
  });
});
