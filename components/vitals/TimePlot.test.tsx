import type { ComponentProps, ReactElement } from 'react';
import { act, render, screen } from '@testing-library/react';
import type uPlot from 'uplot';
import { chartAxis } from '../../lib/vitals/chartAxis';
import { chartLine } from '../../lib/vitals/chartLine';
import type { PlotModel } from './plotModel';
import { TimePlot } from './TimePlot';

/** Replaces uPlot: jsdom has no canvas, so the tests check what uPlot is given. */
class RecordedPlot {
  static made: RecordedPlot[] = [];
  static pxRatio = 1;
  readonly bbox = { left: 44, top: 10, width: 760, height: 200 };
  readonly setData = jest.fn();
  readonly setSize = jest.fn();
  readonly redraw = jest.fn();
  readonly destroy = jest.fn();
  readonly setSelect = jest.fn();
  select = { left: 0, top: 0, width: 0, height: 0 };
  readonly cursor: { left?: number } = {};
  constructor(
    readonly options: uPlot.Options,
    readonly firstData: uPlot.AlignedData,
  ) {
    RecordedPlot.made.push(this);
  }
  posToVal(left: number): number {
    return left * 1_000;
  }
}

// jsdom has no message channels. What comes in another task here comes after the effects that asked for it.
jest.mock('../../lib/nextTask', () => ({ nextTask: () => Promise.resolve() }));

jest.mock('uplot', () => ({ __esModule: true, default: jest.fn() }));

const uPlotMock: { default: jest.Mock } = jest.requireMock('uplot');

const from = Date.parse('2026-03-07T14:00:00Z');

function model(values: readonly number[], to = from + 3_600_000): PlotModel {
  const points = values.map((value, index) => ({
    takenAt: new Date(from + index * 1_000).toISOString(),
    value,
    quality: 'good' as const,
  }));
  const line = chartLine({ kind: 'spo2', unit: '%', bucketMs: 0, points }, { spot: false });
  const extremes = values.length === 0 ? null : { low: Math.min(...values), high: Math.max(...values) };
  return {
    lines: [{ ...line, kind: 'spo2' }],
    gaps: [],
    window: { from, to },
    axis: chartAxis('spo2', extremes),
    limits: [],
    targets: [],
    isLive: true,
    timeZone: 'Europe/London',
  };
}

function plotted(): RecordedPlot {
  const [plot] = RecordedPlot.made;
  if (plot === undefined || RecordedPlot.made.length > 1) {
    throw new Error(`${RecordedPlot.made.length} plots were made`);
  }
  return plot;
}

function rangeOf(plot: RecordedPlot, scale: 'x' | 'y'): unknown {
  const range = plot.options.scales?.[scale]?.range;
  return typeof range === 'function' ? Reflect.apply(range, undefined, [plot, 0, 0, scale]) : range;
}

beforeEach(() => {
  RecordedPlot.made = [];
  Object.assign(uPlotMock.default, { pxRatio: 1 });
  uPlotMock.default.mockImplementation(
    (options: uPlot.Options, data: uPlot.AlignedData) => new RecordedPlot(options, data),
  );
});

const nothing = (): void => {};

function Plot(given: Pick<ComponentProps<typeof TimePlot>, 'model'> & Partial<ComponentProps<typeof TimePlot>>) {
  return (
    <TimePlot summary="SpO2" height={200} onPoint={nothing} onSelect={nothing} onDoubleClick={nothing} {...given} />
  );
}

/** Lets what waits for another task come. */
const settled = () => act(() => Promise.resolve());

/** Shows a chart and waits until it is drawn. */
async function show(element: ReactElement): Promise<ReturnType<typeof render>> {
  const shown = render(element);
  await settled();
  return shown;
}

const fail = (): void => {
  throw new Error('nothing listens to the cursor');
};

describe('TimePlot', () => {
  it('is never made again for new data, only given them, once', async () => {
    const { rerender } = await show(<Plot model={model([97])} />);
    expect(plotted().setData).not.toHaveBeenCalled();
    rerender(<Plot model={model([97, 95], from + 3_603_000)} />);
    rerender(<Plot model={model([97, 96], from + 3_605_000)} />);
    await settled();
    expect(plotted().setData.mock.calls).toEqual([
      [
        [
          [from, from + 1_000, from + 3_605_000],
          [97, 96, undefined],
        ],
      ],
    ]);
    expect(plotted().destroy).not.toHaveBeenCalled();
  });

  it('is given no more data once it is removed', async () => {
    const { rerender, unmount } = await show(<Plot model={model([97])} />);
    rerender(<Plot model={model([97, 96])} />);
    unmount();
    await settled();
    expect(plotted().setData).not.toHaveBeenCalled();
  });

  it('ends its time axis where the window ends, and moves with it', async () => {
    const { rerender } = await show(<Plot model={model([97])} />);
    expect(rangeOf(plotted(), 'x')).toEqual([from, from + 3_600_000]);
    rerender(<Plot model={model([97], from + 3_605_000)} />);
    expect(rangeOf(plotted(), 'x')).toEqual([from, from + 3_605_000]);
  });

  it('widens the value axis for a low value in new data, with room for a line at its end', async () => {
    const { rerender } = await show(<Plot model={model([97])} />);
    expect(rangeOf(plotted(), 'y')).toEqual([79.6, 100.4]);
    rerender(<Plot model={model([97, 66])} />);
    expect(rangeOf(plotted(), 'y')).toEqual([49, 101]);
  });

  it('never joins points across nulls', async () => {
    await show(<Plot model={model([97])} />);
    expect(plotted().options.series.some(({ spanGaps }) => spanGaps === true)).toBe(false);
  });

  it('shares its cursor by time with the other charts', async () => {
    await show(<Plot model={model([97])} />);
    expect(plotted().options.cursor?.sync).toMatchObject({ key: 'vitals', scales: ['x', null] });
  });

  it('reports the instant under the pointer, and that there is none', async () => {
    const onPoint = jest.fn();
    await show(<Plot model={model([97])} onPoint={onPoint} />);
    const plot = plotted();
    const moved = plot.options.hooks?.setCursor?.[0];
    const point = (left: number): void => {
      plot.cursor.left = left;
      Reflect.apply(moved ?? fail, undefined, [plot]);
    };
    point(12);
    expect(onPoint).toHaveBeenLastCalledWith({ at: 12_000, msPerPixel: 3_600_000 / 760 });
    for (const outside of [-10, 761]) {
      point(12);
      point(outside);
      expect(onPoint).toHaveBeenLastCalledWith(null);
    }
  });

  it('reports the time over which the user dragged, and leaves no mark of it', async () => {
    const onSelect = jest.fn();
    await show(<Plot model={model([97])} onSelect={onSelect} />);
    const plot = plotted();
    plot.select = { left: 100, top: 0, width: 50, height: 200 };
    Reflect.apply(plot.options.hooks?.setSelect?.[0] ?? fail, undefined, [plot]);
    expect(onSelect).toHaveBeenLastCalledWith({ from: 100_000, to: 150_000 });
    expect(plot.setSelect).toHaveBeenCalledWith({ left: 0, top: 0, width: 0, height: 0 }, false);
    expect(plot.options.cursor?.drag).toMatchObject({ x: true, y: false, setScale: false });
  });

  it('reports a double click and does nothing else on it', async () => {
    const onDoubleClick = jest.fn();
    await show(<Plot model={model([97])} onDoubleClick={onDoubleClick} />);
    const bind: unknown = Reflect.apply(plotted().options.cursor?.bind?.dblclick ?? fail, undefined, []);
    Reflect.apply(typeof bind === 'function' ? bind : fail, undefined, []);
    expect(onDoubleClick).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['mousemove', true],
    ['mouseleave', true],
    ['mousedown', false],
    ['mouseup', false],
    ['dblclick', false],
  ])('reports a %s to the other charts: %s', async (type, isReported) => {
    await show(<Plot model={model([97])} />);
    const publishes = plotted().options.cursor?.sync?.filters?.pub;
    expect(Reflect.apply(publishes ?? fail, undefined, [type])).toBe(isReported);
  });

  it('is drawn again in the colours of another theme', async () => {
    await show(<Plot model={model([97])} />);
    const stroke = (): unknown => {
      const series = plotted().options.series[1]?.stroke;
      return typeof series === 'function' ? Reflect.apply(series, undefined, [plotted(), 1]) : series;
    };
    // jsdom does not inherit variables, so the theme's variable is set where it is read.
    screen.getByRole('img').style.setProperty('--wl-spo2', '#56b4e9');
    await act(async () => {
      document.documentElement.dataset.theme = 'dark';
      await Promise.resolve();
    });
    expect(plotted().redraw).toHaveBeenCalledTimes(1);
    expect(stroke()).toBe('#56b4e9');
  });

  it('says in words what it draws', async () => {
    await show(<Plot model={model([97])} summary="SpO2 of Okafor, Ada" />);
    expect(screen.getByRole('img', { name: 'SpO2 of Okafor, Ada' })).toBeInstanceOf(HTMLElement);
  });

  it('is not drawn once it is removed', async () => {
    render(<Plot model={model([97])} />).unmount();
    await settled();
    expect(RecordedPlot.made).toEqual([]);
  });

  it('is removed with the page', async () => {
    const { unmount } = await show(<Plot model={model([97])} />);
    unmount();
    expect(plotted().destroy).toHaveBeenCalledTimes(1);
  });
});
