import fc from 'fast-check';
import { chartColumns } from './chartColumns';
import type { ChartLine } from './chartLine';

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

describe('chartColumns', () => {
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
