import fc from 'fast-check';
import type { ChartAlert, ChartLimitStep, ChartMarks } from '../alerts/chartMarksSchema';
import { toInstant } from '../time/schema';
import { type Bucket, bucketWidth, toBuckets } from './buckets';
import { alertExtremes, alertGroups, alertsOfChart } from './chartAlerts';
import { axisSplits, chartAxis, type ChartQuantity } from './chartAxis';
import { chartColumns } from './chartColumns';
import { chartGaps } from './chartGaps';
import { chartLimits, chartTargets, limitLabel } from './chartLimits';
import { type ChartLine, chartLine } from './chartLine';
import { chartRanges, defaultRange } from './chartRanges';
import { pointAt } from './chartReadout';
import { chartRows } from './chartRows';
import { chartSummary } from './chartSummary';
import type { VitalSeries } from './schema';

const minute = 60_000;

describe('buckets', () => {
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

    it('has in each bucket extremes, last value and number of its samples, in order, on round times', () => {
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
});

describe('chartAlerts', () => {
  const start = Date.UTC(2026, 2, 7, 14);
  const window = { from: start, to: start + 100 * minute };

  function alert(id: number, from: number, to: number | null, change: Partial<ChartAlert> = {}): ChartAlert {
    return {
      id,
      parameter: 'spo2',
      priority: 'high',
      condition: to === null ? 'active' : 'ended',
      startedAt: toInstant(start + from * minute),
      endedAt: to === null ? null : toInstant(start + to * minute),
      raisedAt: toInstant(start + from * minute),
      acknowledged: null,
      closedAt: null,
      sentence: 'SpO2 77 % < 88',
      lowest: null,
      highest: null,
      ...change,
    };
  }

  const shown = (alerts: readonly ChartAlert[], smallest = 0) =>
    alertGroups(alerts, window, smallest).map(({ left, width, bars }) => [
      Math.round(left * 100),
      Math.round(width * 100),
      bars.map((bar) => bar.alert.id),
    ]);

  describe('the alerts on a time axis', () => {
    it('begin and end with their condition, and last to the end of the window while it lasts', () => {
      expect(shown([alert(1, 10, 20), alert(2, 50, null)])).toEqual([
        [10, 10, [1]],
        [50, 50, [2]],
      ]);
    });

    it('end when they were closed if no one knows when the condition ended', () => {
      expect(shown([alert(1, 10, null, { closedAt: toInstant(start + 30 * minute) })])).toEqual([[10, 20, [1]]]);
    });

    it('are cut to the window, and those outside are not shown', () => {
      expect(shown([alert(1, -10, 20), alert(2, 90, 120), alert(3, -20, -10), alert(4, 101, 110)])).toEqual([
        [0, 20, [1]],
        [90, 10, [2]],
      ]);
    });

    it('that are too near to be pressed alone are one group, the most urgent drawn last', () => {
      const alerts = [alert(1, 10, 11), alert(2, 14, 15, { priority: 'low' }), alert(3, 40, 41)];
      expect(shown(alerts, 0.05)).toEqual([
        [10, 5, [2, 1]],
        [40, 5, [3]],
      ]);
    });

    it('at the end of the axis stay on it', () => {
      expect(shown([alert(1, 94, 95), alert(2, 99, 100)], 0.05)).toEqual([[94, 6, [1, 2]]]);
    });

    it('are each in one group, and groups neither overlap nor leave the axis', () => {
      const some = fc.array(fc.tuple(fc.integer({ min: -20, max: 120 }), fc.nat({ max: 60 })), { maxLength: 50 });
      fc.assert(
        fc.property(some, fc.double({ min: 0, max: 0.2, noNaN: true }), (times, smallest) => {
          const alerts = times.map(([from, length], index) => alert(index, from, from + length));
          const groups = alertGroups(alerts, window, smallest);
          const inWindow = times.flatMap(([from, length], index) => (from <= 100 && from + length >= 0 ? [index] : []));
          const grouped = groups.flatMap(({ bars }) => bars.map((bar) => bar.alert.id));
          expect(grouped.sort((a, b) => a - b)).toEqual(inWindow);
          for (const [index, { left, width, bars }] of groups.entries()) {
            const before = groups[index - 1];
            expect(left).toBeGreaterThanOrEqual(before === undefined ? 0 : before.left + before.width);
            expect(left + width).toBeLessThanOrEqual(1 + 1e-9);
            expect(width).toBeGreaterThanOrEqual(smallest);
            for (const bar of bars) {
              expect(bar.left).toBeGreaterThanOrEqual(left - 1e-9);
              expect(bar.left + bar.width).toBeLessThanOrEqual(left + width + 1e-9);
            }
          }
        }),
      );
    });
  });

  describe('the alerts of a chart', () => {
    it('are those about its value, and those about the patient or the equipment as a whole', () => {
      const alerts = (['spo2', 'spo2Quality', 'rate', 'rateQuality', 'news2', 'reporting'] as const).map(
        (parameter, id) => alert(id, 0, 1, { parameter }),
      );
      const of = (quantity: 'spo2' | 'rate') => alertsOfChart(alerts, quantity).map(({ parameter }) => parameter);
      expect(of('spo2')).toEqual(['spo2', 'spo2Quality', 'news2', 'reporting']);
      expect(of('rate')).toEqual(['rate', 'rateQuality', 'news2', 'reporting']);
    });

    it('have values that the axis must contain', () => {
      const alerts = [
        alert(1, 0, 1, { lowest: 62, highest: 87 }),
        alert(2, 0, 1, { parameter: 'rate', lowest: 30, highest: 160 }),
        alert(3, 0, 1, { parameter: 'news2' }),
      ];
      expect(alertExtremes(alerts, 'spo2')).toEqual({ low: 62, high: 87 });
      expect(alertExtremes(alerts, 'rate')).toEqual({ low: 30, high: 160 });
      expect(alertExtremes([], 'spo2')).toBeNull();
    });
  });
});

describe('chartAxis', () => {
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
});

describe('chartColumns', () => {
  const window = { from: 0, to: 60_000 };

  function line(runs: readonly (readonly [at: number, value: number])[][]): ChartLine {
    return {
      kind: 'heartRate',
      bucketMs: 0,
      gapMs: 30_000,
      runs: runs.map((run) =>
        run.map(([at, value]) => ({ at, value, low: value, high: value, count: 1, quality: 'good' })),
      ),
      invalidAt: [],
    };
  }

  it('gives an empty column over the window to a line without points', () => {
    expect(chartColumns([line([])], window)).toEqual([
      [0, 60_000],
      [undefined, undefined],
    ]);
  });

  it('breaks a line at the same place and nowhere else if a value was typed in after the break', () => {
    const broken = line([
      [
        [0, 97],
        [1_000, 97],
      ],
      [
        [50_000, 85],
        [60_000, 85],
      ],
    ]);
    const typed = line([[[55_000, 99]]]).runs.map((run) => run.map((point) => ({ ...point, isManual: true as const })));
    const [before, after] = [broken.runs.slice(0, 1), broken.runs.slice(1)];
    const withTyped = { ...broken, runs: [...before, ...typed, ...after] };
    expect(chartColumns([withTyped], window)).toEqual(chartColumns([broken], window));
  });

  it('breaks a line between two runs with null', () => {
    expect(
      chartColumns(
        [
          line([
            [
              [0, 70],
              [1_000, 71],
            ],
            [[60_000, 72]],
          ]),
        ],
        window,
      ),
    ).toEqual([
      [0, 1_000, 30_500, 60_000],
      [70, 71, null, 72],
    ]);
  });

  it('does not take a value of 0 for a break', () => {
    expect(chartColumns([line([[[0, 0]], [[60_000, 0]]])], window)[1]).toEqual([0, null, 0]);
  });

  it('lets a line go on at instants that only the other has', () => {
    expect(
      chartColumns(
        [
          line([
            [
              [0, 70],
              [2_000, 72],
            ],
          ]),
          line([[[1_000, 80]]]),
        ],
        { from: 0, to: 2_000 },
      ),
    ).toEqual([
      [0, 1_000, 2_000],
      [70, undefined, 72],
      [undefined, 80, undefined],
    ]);
  });

  it('breaks a line over all the instants that only the other has inside the break', () => {
    const other = line([
      [
        [1_000, 80],
        [2_000, 81],
        [58_000, 82],
      ],
    ]);
    expect(chartColumns([line([[[0, 70]], [[60_000, 72]]]), other], window)).toEqual([
      [0, 1_000, 2_000, 30_000, 58_000, 60_000],
      [70, null, null, null, null, 72],
      [undefined, 80, 81, undefined, 82, undefined],
    ]);
  });

  it('has ascending instants, one cell each, every value, and nulls at exactly the instants between two runs', () => {
    const runs = fc
      .array(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 0, max: 300 })), {
          minLength: 1,
          maxLength: 10,
        }),
        {
          maxLength: 8,
        },
      )
      .map((steps) => {
        let at = 0;
        return steps.map((run) =>
          run.map(([step, value]): [number, number] => {
            at += step;
            return [at, value];
          }),
        );
      });
    fc.assert(
      fc.property(runs, runs, (first, second) => {
        const [instants, ...columns] = chartColumns([line(first), line(second)], { from: 0, to: 10_000 });
        expect(instants).toEqual([...new Set(instants)].sort((a, b) => a - b));
        for (const [index, wanted] of [first, second].entries()) {
          const column = columns[index] ?? [];
          expect(column).toHaveLength(instants.length);
          expect(column.filter((value) => typeof value === 'number')).toEqual(wanted.flat().map(([, value]) => value));
          const within = wanted
            .slice(1)
            .map((run, before) => [wanted[before]?.at(-1)?.[0] ?? 0, run[0]?.[0] ?? 0] as const);
          const inBreak = (at: number): boolean => within.some(([last, next]) => last < at && at < next);
          expect(instants.map(inBreak)).toEqual(column.map((value) => value === null));
        }
      }),
    );
  });
});

describe('chartGaps', () => {
  const window = { from: 0, to: 60 * minute };

  function line(instants: readonly number[], more: Partial<ChartLine> = {}): ChartLine {
    const runs = instants.map((at) => [{ at, value: 97, low: 97, high: 97, count: 1, quality: 'good' as const }]);
    return { kind: 'heartRate', bucketMs: 0, gapMs: 10 * minute, runs, invalidAt: [], ...more };
  }

  const everyFive = Array.from({ length: 13 }, (_, index) => index * 5 * minute);

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

describe('the limits of a chart', () => {
  const start = Date.UTC(2026, 2, 7, 14);
  const window = { from: start, to: start + 60 * minute };

  const line = (
    value: number,
    change: Partial<ChartLimitStep['lines'][number]> = {},
  ): ChartLimitStep['lines'][number] => ({
    parameter: 'spo2',
    priority: 'high',
    is: 'below',
    value,
    onOxygen: false,
    ...change,
  });
  const medium = (value: number, change: Partial<ChartLimitStep['lines'][number]> = {}) =>
    line(value, { priority: 'medium', is: 'atMost', ...change });

  function marks(
    steps: readonly [minute: number, lines: ChartLimitStep['lines'], target?: { low: number; high: number }][],
    until = 60,
  ): ChartMarks {
    return {
      patientId: 1,
      from: toInstant(start),
      to: toInstant(start + until * minute),
      target: { low: 94, high: 98, scale: 1, isConfirmed: false },
      limits: steps.map(([at, lines, target = { low: 94, high: 98 }]) => ({
        from: toInstant(start + at * minute),
        scale: 1,
        target,
        isTargetConfirmed: false,
        lines,
      })),
      alerts: [],
      hasMoreAlerts: false,
      notes: [],
    };
  }

  const shown = (given: ChartMarks, at = window) =>
    chartLimits(given, 'spo2', at).map(({ priority, value, from, to, beyondTo }) => [
      priority,
      value,
      (from - start) / minute,
      (to - start) / minute,
      beyondTo,
    ]);

  it('are each drawn, and what lies beyond two HIGH limits is tinted once', () => {
    expect(shown(marks([[0, [line(88), line(78), medium(91)]]]))).toEqual([
      ['high', 88, 0, 60, null],
      ['high', 78, 0, 60, 78],
      ['medium', 91, 0, 60, 88],
    ]);
  });

  it('are steps over the time in which each held', () => {
    const both = (high: number) => [line(high), medium(91)];
    const steps: Parameters<typeof marks>[0] = [
      [0, both(88)],
      [20, both(85)],
      [50, [medium(91)]],
    ];
    expect(shown(marks(steps))).toEqual([
      ['high', 88, 0, 20, null],
      ['medium', 91, 0, 20, 88],
      ['high', 85, 20, 50, null],
      ['medium', 91, 20, 50, 85],
      ['medium', 91, 50, 60, null],
    ]);
  });

  it('are one line over a change of something else', () => {
    const given = marks([
      [0, [line(88)], { low: 94, high: 98 }],
      [20, [line(88)], { low: 88, high: 92 }],
    ]);
    expect(shown(given)).toEqual([['high', 88, 0, 60, null]]);
    expect(chartTargets(given, window)).toEqual([
      { from: start, to: start + 20 * minute, low: 94, high: 98 },
      { from: start + 20 * minute, to: window.to, low: 88, high: 92 },
    ]);
  });

  it('are cut to the window, and not drawn where nothing is known', () => {
    const given = marks([[0, [line(88)]]]);
    const zoomed = { from: start - 10 * minute, to: start + 30 * minute };
    expect(shown(given, zoomed)).toEqual([['high', 88, 0, 30, null]]);
    expect(shown(given, { from: start, to: start + 62 * minute })).toEqual([['high', 88, 0, 62, null]]);
    expect(shown(given, { from: start, to: start + 63 * minute })).toEqual([['high', 88, 0, 60, null]]);
    expect(shown(given, { from: start + 70 * minute, to: start + 80 * minute })).toEqual([]);
  });

  it('are those of its own value', () => {
    const given = marks([[0, [line(88), line(150, { parameter: 'rate', is: 'atLeast' })]]]);
    expect(shown(given)).toEqual([['high', 88, 0, 60, null]]);
    expect(chartLimits(given, 'rate', window).map(({ value }) => value)).toEqual([150]);
  });

  it('leave a MEDIUM limit nothing beyond a HIGH one that is reached first', () => {
    expect(shown(marks([[0, [line(88), medium(85)]]]))[1]).toEqual(['medium', 85, 0, 60, 85]);
  });

  it.each([
    [line(88), 'High < 88'],
    [medium(91), 'Med ≤ 91'],
    [medium(97, { is: 'atLeast', onOxygen: true }), 'Med ≥ 97 O₂'],
  ])('are named at the edge: %#', (given, label) => {
    expect(limitLabel({ ...given, beyondTo: null })).toBe(label);
  });
});

describe('chartRanges', () => {
  describe('chartRanges', () => {
    it('offers 1, 4, 12, 24 h, 7 and 14 d', () => {
      expect(chartRanges.map(({ ms }) => ms / 3_600_000)).toEqual([1, 4, 12, 24, 168, 336]);
    });
  });

  describe('defaultRange', () => {
    it.each([
      ['no patient', [], '1h'],
      ['a monitored patient', ['continuous'], '1h'],
      ['a patient at home', ['home'], '14d'],
      ['one of each, because the monitored one changes by the second', ['home', 'continuous'], '1h'],
      ['several at home', ['home', 'home'], '14d'],
    ] as const)('for %s', (_name, profiles, key) => {
      expect(defaultRange(profiles.map((profile) => ({ profile }))).key).toBe(key);
    });
  });
});

describe('pointAt', () => {
  function line(instants: readonly number[], bucketMs = 0): ChartLine {
    const runs = [instants.map((at) => ({ at, value: at, low: at, high: at, count: 1, quality: 'good' as const }))];
    return { kind: 'spo2', bucketMs, gapMs: 30_000, runs, invalidAt: [] };
  }

  it.each([
    ['an empty line', line([]), 500, null],
    ['a time too far from any sample', line([0, 1_000]), 1_101, null],
    ['the limit itself', line([0, 1_000]), 1_100, 1_000],
    ['a sample', line([0, 1_000]), 1_000, 1_000],
    ['a time nearer to the first', line([0, 150]), 70, 0],
    ['a time nearer to the second', line([0, 150]), 80, 150],
    ['the end of a bucket', line([0], 1_000), 1_000, 0],
    ['a time past a bucket', line([0], 1_000), 1_101, null],
  ])('at %s', (_name, drawn, at, found) => {
    expect(pointAt(drawn, at, 100)?.at ?? null).toBe(found);
  });
});

describe('chartRows', () => {
  const start = Date.UTC(2026, 2, 7, 14);
  const context = { expectedEveryMs: 1_000, spot: false };

  it('names a sample without a signal instead of leaving it out or showing its 0', () => {
    const series: VitalSeries = {
      kind: 'spo2',
      unit: '%',
      bucketMs: 0,
      points: [
        { takenAt: toInstant(start), value: 97, quality: 'good' },
        { takenAt: toInstant(start + 1_000), value: 0, quality: 'invalid' },
        { takenAt: toInstant(start + 2_000), value: 90, quality: 'questionable' },
      ],
    };
    expect(chartRows([chartLine(series, context)])).toEqual([
      { kind: 'spo2', at: start + 2_000, value: 90, bucket: null, quality: 'questionable', isPartlySilent: false },
      { kind: 'spo2', at: start + 1_000, value: null, bucket: null, quality: 'no signal', isPartlySilent: false },
      { kind: 'spo2', at: start, value: 97, bucket: null, quality: 'good', isPartlySilent: false },
    ]);
  });

  it('keeps the extremes of a bucket and the two rates apart', () => {
    const bucket = (kind: 'heartRate' | 'pulseRate', at: number): VitalSeries => ({
      kind,
      unit: '/min',
      bucketMs: 60_000,
      points: [{ takenAt: toInstant(at), min: 0, max: 80, last: 70, count: 60, questionable: 0 }],
      noSignal: [],
    });
    const lines = [chartLine(bucket('heartRate', start), context), chartLine(bucket('pulseRate', start + 1), context)];
    expect(chartRows(lines)).toEqual([
      {
        kind: 'pulseRate',
        at: start + 1,
        value: 70,
        bucket: { low: 0, high: 80, count: 60 },
        quality: 'good',
        isPartlySilent: false,
      },
      {
        kind: 'heartRate',
        at: start,
        value: 70,
        bucket: { low: 0, high: 80, count: 60 },
        quality: 'good',
        isPartlySilent: false,
      },
    ]);
  });

  it('has one row for each bucket: uncertain, without a signal, and both a value and no signal', () => {
    const at = (minute: number): string => toInstant(start + minute * 60_000);
    const series: VitalSeries = {
      kind: 'spo2',
      unit: '%',
      bucketMs: 60_000,
      points: [
        { takenAt: at(0), min: 96, max: 98, last: 97, count: 30, questionable: 0 },
        { takenAt: at(2), min: 80, max: 90, last: 88, count: 4, questionable: 2 },
      ],
      noSignal: [
        { takenAt: at(0), count: 30 },
        { takenAt: at(1), count: 60 },
      ],
    };
    expect(chartRows([chartLine(series, context)])).toEqual([
      {
        kind: 'spo2',
        at: start + 120_000,
        value: 88,
        bucket: { low: 80, high: 90, count: 4 },
        quality: 'questionable',
        isPartlySilent: false,
      },
      { kind: 'spo2', at: start + 60_000, value: null, bucket: null, quality: 'no signal', isPartlySilent: false },
      {
        kind: 'spo2',
        at: start,
        value: 97,
        bucket: { low: 96, high: 98, count: 30 },
        quality: 'good',
        isPartlySilent: true,
      },
    ]);
  });
});

describe('chartSummary', () => {
  const from = Date.parse('2026-07-04T13:00:00Z');
  const window = { from, to: from + 3_600_000 };

  function line(kind: ChartLine['kind'], values: readonly number[]): ChartLine {
    const runs = [
      values.map((value, index) => ({
        at: from + index * 1_000,
        value,
        low: value,
        high: value,
        count: 1,
        quality: 'good' as const,
      })),
    ];
    return { kind, bucketMs: 0, gapMs: 30_000, runs: values.length === 0 ? [] : runs, invalidAt: [] };
  }

  it('says that there is no data', () => {
    expect(chartSummary([line('spo2', [])], [{ ...window, cause: 'no data' }], window, 'Europe/London')).toBe(
      '04 Jul, 14:00 to 04 Jul, 15:00 BST. No data.',
    );
  });

  it('gives the extremes, the last value with its time, and the gaps, in site time', () => {
    const gaps = [
      { from: from + 60_000, to: from + 120_000, cause: 'no data' as const },
      { from: from + 600_000, to: from + 900_000, cause: 'no signal' as const },
    ];
    expect(chartSummary([line('spo2', [97, 88, 94])], gaps, window, 'Europe/London')).toBe(
      '04 Jul, 14:00 to 04 Jul, 15:00 BST. SpO2 lowest 88 %, highest 97 %, last 94 % at 14:00:02. 2 gaps without ' +
        'data, the longest 5 min.',
    );
  });

  it('names heart rate and pulse rate each by its own label', () => {
    expect(chartSummary([line('heartRate', [0]), line('pulseRate', [61])], [], window, 'UTC')).toBe(
      '04 Jul, 13:00 to 04 Jul, 14:00 UTC. HR lowest 0 /min, highest 0 /min, last 0 /min at 13:00:00. PR lowest ' +
        '61 /min, highest 61 /min, last 61 /min at 13:00:00. No gaps.',
    );
  });
});
