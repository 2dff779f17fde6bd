import type { ChartWindow } from './chartGaps';

/** The part of a chart's time that is shown enlarged. */
export interface ChartZoom {
  /** All of the time that could be shown. */
  whole: ChartWindow;
  /** What is shown of it. */
  window: ChartWindow;
}

/**
 * The shortest zoom: closer, a chart of one sample a second is a few points (our choice; the value axis never zooms).
 */
const shortestMs = 60_000;

const spanOf = ({ from, to }: ChartWindow): number => to - from;

/**
 * Takes all of the time and the wanted part and returns the zoom to that part: kept inside, and widened around its
 * middle if it is too short. Instants are whole milliseconds.
 */
export function zoomTo(whole: ChartWindow, wanted: ChartWindow): ChartZoom {
  const span = Math.min(Math.max(spanOf(wanted), shortestMs), spanOf(whole));
  const middle = (wanted.from + wanted.to) / 2;
  const from = Math.round(Math.min(Math.max(middle - span / 2, whole.from), whole.to - span));
  return { whole, window: { from, to: Math.round(from + span) } };
}

/** The middle half of what is shown. */
export function zoomIn({ whole, window }: ChartZoom): ChartZoom {
  const quarter = spanOf(window) / 4;
  return zoomTo(whole, { from: window.from + quarter, to: window.to - quarter });
}

/** As long a part, half of its length earlier or later. */
export function zoomMove({ whole, window }: ChartZoom, direction: 'earlier' | 'later'): ChartZoom {
  const step = (direction === 'earlier' ? -1 : 1) * (spanOf(window) / 2);
  return zoomTo(whole, { from: window.from + step, to: window.to + step });
}
