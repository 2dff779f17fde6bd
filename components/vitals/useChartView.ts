import { useState } from 'react';
import type { ChartRange } from '../../lib/vitals/chartRanges';
import type { ChartZoom } from '../../lib/vitals/chartZoom';

/** What time the charts of a page show. All of them show the same. */
export interface ChartView {
  range: ChartRange;
  /** The zoomed part of the range; null for all of it. */
  zoom: ChartZoom | null;
  setZoom: (zoom: ChartZoom | null) => void;
}

/** Keeps the range and the zoom of a page's charts. A new range resets the zoom. */
export function useChartView(first: () => ChartRange): ChartView & { setRange: (range: ChartRange) => void } {
  const [range, setRange] = useState(first);
  const [zoom, setZoom] = useState<ChartZoom | null>(null);
  return {
    range,
    zoom,
    setZoom,
    setRange: (next) => {
      setRange(next);
      setZoom(null);
    },
  };
}
