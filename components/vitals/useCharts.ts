import { useCallback, useState } from 'react';
import type { ReadState } from '../../hooks/readState';
import { useVitals } from '../../hooks/useVitals';
import type { ChartRange } from '../../lib/vitals/chartRanges';
import type { ChartZoom } from '../../lib/vitals/chartZoom';
import type { VitalsResponse } from '../../lib/vitals/schema';
import { chartedKinds } from './seriesLook';

/** What the charts of one patient show. */
export interface Charts {
  response: ReadState<VitalsResponse>;
  range: ChartRange;
  /** The zoomed part of the range; null for all of it. */
  zoom: ChartZoom | null;
  setZoom: (zoom: ChartZoom | null) => void;
  /** Less height and fewer points, for several patients side by side. */
  isCompact: boolean;
}

/** How many points per kind are requested. */
const points = { full: 1_000, compact: 500 } as const;

/** Reads the charted vitals of a patient over a range. A new range resets the zoom. */
export function useCharts(patientId: number, range: ChartRange, isCompact: boolean): Charts {
  const [held, setHeld] = useState<{ range: ChartRange; zoom: ChartZoom | null }>({ range, zoom: null });
  if (held.range !== range) {
    setHeld({ range, zoom: null });
  }
  const zoom = held.range === range ? held.zoom : null;
  const setZoom = useCallback((next: ChartZoom | null) => setHeld({ range, zoom: next }), [range]);
  const response = useVitals({
    patientId,
    kinds: chartedKinds,
    rangeMs: range.ms,
    zoom: zoom?.window ?? null,
    points: isCompact ? points.compact : points.full,
  });
  return { response, range, zoom, setZoom, isCompact };
}
