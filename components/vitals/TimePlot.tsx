import { useEffect, useRef, type RefObject } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { nextTask } from '../../lib/nextTask';
import { chartColumns } from '../../lib/vitals/chartColumns';
import { plotColors, type PlotColors } from './plotColors';
import type { PlotModel } from './plotModel';
import { axisSplits, type ChartAxis } from '../../lib/vitals/chartAxis';
import type { ChartWindow } from '../../lib/vitals/chartGaps';
import { tickLabels, timeTicks } from '../../lib/vitals/chartTicks';
import type { Pen } from './pen';
import { drawEnvelopes, drawGaps, drawMarks } from './plotDrawing';
import { plotInsets } from './plotInsets';
import { drawLimits } from './plotLimits';
import { seriesLooks } from './seriesLook';

/** Charts with the same key move their cursors together, by time. */
const cursorKey = 'vitals';
/** CSS pixels that a label on the time axis needs. */
const tickSpace = 76;
/** CSS pixels: a click with an unsteady hand is no drag. */
const shortestDrag = 8;
const axisFont = "12px 'Open Sans', system-ui, sans-serif";

interface PlotSources {
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
function plotOptions(
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

interface TimePlotProps {
  model: PlotModel;
  /** The drawing in words. */
  summary: string;
  /** CSS pixels. */
  height: number;
  onPoint: PlotSources['onPoint'];
  onSelect: PlotSources['onSelect'];
  onDoubleClick: PlotSources['onDoubleClick'];
}

/** The drawing. Made once, and then given new data. This file and uPlot load when a chart is shown. */
export function TimePlot({ model, summary, height, onPoint, onSelect, onDoubleClick }: TimePlotProps) {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const latest = useRef({ model, onPoint, onSelect, onDoubleClick });

  // Before the effects that draw, so that they see the newest.
  useEffect(() => {
    latest.current = { model, onPoint, onSelect, onDoubleClick };
  }, [model, onPoint, onSelect, onDoubleClick]);
  useEffect(() => {
    if (plot.current === null) {
      // Made below, with these very data.
      return undefined;
    }
    let isOld = false;
    // In a task of its own: all charts of a page in one task would delay typing and scrolling.
    void nextTask().then(() => {
      if (!isOld) {
        plot.current?.setData(chartColumns(model.lines, model.window));
      }
    });
    return () => {
      isOld = true;
    };
  }, [model]);

  useEffect(() => {
    const element = holder.current;
    if (element === null) {
      return undefined;
    }
    let remove = (): void => undefined;
    let isGone = false;
    // As above, each chart in a task of its own.
    void nextTask().then(() => {
      if (isGone) {
        return;
      }
      const made = watchedPlot(element, height, latest);
      plot.current = made.plot;
      remove = made.remove;
    });
    return () => {
      isGone = true;
      plot.current = null;
      remove();
    };
  }, [height]);

  return <div ref={holder} role="img" aria-label={summary} style={{ height }} />;
}

/** Draws into an element, in its width and the colours of the theme, and draws again when these change. */
function watchedPlot(
  element: HTMLElement,
  height: number,
  latest: RefObject<Omit<TimePlotProps, 'summary' | 'height'>>,
): { plot: uPlot; remove: () => void } {
  let colors: PlotColors = plotColors(element);
  const plot = new uPlot(
    plotOptions(
      {
        model: () => latest.current.model,
        colors: () => colors,
        onPoint: (pointed) => latest.current.onPoint(pointed),
        onSelect: (selected) => latest.current.onSelect(selected),
        onDoubleClick: () => latest.current.onDoubleClick(),
      },
      { width: element.clientWidth, height },
    ),
    chartColumns(latest.current.model.lines, latest.current.model.window),
    element,
  );
  const widthWatch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
  widthWatch.observe(element);
  const themeWatch = new MutationObserver(() => {
    colors = plotColors(element);
    plot.redraw(false, true);
  });
  themeWatch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return {
    plot,
    remove: () => {
      widthWatch.disconnect();
      themeWatch.disconnect();
      plot.destroy();
    },
  };
}
