import { useEffect, useRef, type RefObject } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { nextTask } from '../../lib/nextTask';
import { chartColumns } from '../../lib/vitals/chartColumns';
import { plotColors, type PlotColors } from './plotColors';
import type { PlotModel } from './plotModel';
import { plotOptions, type PlotSources } from './plotOptions';

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
