import uPlot from 'uplot';
import { axisSplits, type ChartAxis } from '../../lib/vitals/chartAxis';
import type { ChartWindow } from '../../lib/vitals/chartGaps';
import { tickLabels, timeTicks } from '../../lib/vitals/chartTicks';
import type { PlotColors } from './plotColors';
import type { Pen } from './pen';
import { drawEnvelopes, drawGaps, drawMarks } from './plotDrawing';
import { plotInsets } from './plotInsets';
import { drawLimits } from './plotLimits';
import type { PlotModel } from './plotModel';
import { seriesLooks } from './seriesLook';

/** Charts with the same key move their cursors together, by time. */
const cursorKey = 'vitals';
/** CSS pixels that a label on the time axis needs. */
const tickSpace = 76;
/** CSS pixels: a click with an unsteady hand is no drag. */
const shortestDrag = 8;
const axisFont = "12px 'Open Sans', system-ui, sans-serif";

export interface PlotSources {
  /** Called at every drawing, so that new data or another theme needs no new chart. */
  model: () => PlotModel;
  colors: () => PlotColors;
  /** Epoch milliseconds pointed at, and how many of them one CSS pixel is; null when nothing is pointed at. */
  onPoint: (pointed: { at: number; msPerPixel: number } | null) => void;
  /** Called with the time over which the user dragged, in epoch milliseconds. */
  onSelect: (selected: ChartWindow) => void;
  onDoubleClick: () => void;
}

/** Returns a little more than the axis, so that a line at its end (SpO2 100 %) is drawn in its full width. */
function withMargin({ min, max }: ChartAxis): [number, number] {
  const margin = (max - min) / 50;
  return [min - margin, max + margin];
}

const isPointing = (type: string): boolean => type === 'mousemove' || type === 'mouseleave';

/** Returns the options with which uPlot makes the chart. */
export function plotOptions(
  { model, colors, onPoint, onSelect, onDoubleClick }: PlotSources,
  size: { width: number; height: number },
): uPlot.Options {
  const pen = (plot: uPlot): Pen => ({ plot, context: plot.ctx, scale: uPlot.pxRatio, colors: colors() });
  const lines = { stroke: () => colors().grid, width: 1 };
  return {
    ...size,
    ms: 1,
    padding: [plotInsets.top, plotInsets.right, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      points: { show: false },
      // The page decides what is shown, so a drag only selects.
      drag: { x: true, y: false, setScale: false, dist: shortestDrag },
      bind: {
        dblclick: () => () => {
          onDoubleClick();
          return null;
        },
      },
      // Charts of another patient follow the pointer, but a drag concerns one chart only.
      sync: { key: cursorKey, scales: ['x', null], setSeries: false, filters: { pub: isPointing, sub: () => true } },
    },
    scales: {
      x: { time: false, range: () => [model().window.from, model().window.to] },
      y: { range: () => withMargin(model().axis) },
    },
    axes: [
      {
        stroke: () => colors().text,
        font: axisFont,
        size: plotInsets.bottom,
        grid: lines,
        ticks: lines,
        splits: (plot) =>
          timeTicks(
            model().window,
            model().timeZone,
            Math.max(2, Math.floor(plot.bbox.width / uPlot.pxRatio / tickSpace)),
          ),
        values: (_plot, ticks) => tickLabels(ticks, model().timeZone),
      },
      {
        stroke: () => colors().text,
        font: axisFont,
        size: plotInsets.left,
        grid: lines,
        ticks: lines,
        splits: () => axisSplits(model().axis),
        values: (_plot, splits) => splits.map(String),
      },
    ],
    series: [
      {},
      ...model().lines.map(({ kind }) => ({
        scale: 'y',
        stroke: () => colors().series[kind],
        width: 1.5,
        dash: seriesLooks[kind].dash,
        points: { show: false },
      })),
    ],
    hooks: {
      drawAxes: [
        (plot) => {
          drawLimits(pen(plot), model());
          drawGaps(pen(plot), model());
          drawEnvelopes(pen(plot), model());
        },
      ],
      draw: [(plot) => drawMarks(pen(plot), model())],
      setCursor: [
        (plot) => {
          const { left } = plot.cursor;
          const width = plot.bbox.width / uPlot.pxRatio;
          // Another chart's pointer may be at a time that this one does not show.
          if (left === undefined || left < 0 || left > width) {
            onPoint(null);
            return;
          }
          const { from, to } = model().window;
          onPoint({ at: plot.posToVal(left, 'x'), msPerPixel: (to - from) / width });
        },
      ],
      setSelect: [
        (plot) => {
          const { left, width } = plot.select;
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          onSelect({ from: plot.posToVal(left, 'x'), to: plot.posToVal(left + width, 'x') });
        },
      ],
    },
  };
}
