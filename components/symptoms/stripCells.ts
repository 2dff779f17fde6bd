import type { SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import { parseInstant } from '../../lib/time/parseInstant';
import type { ChartWindow } from '../../lib/vitals/chartGaps';

/** Where the columns of a strip are, in CSS pixels from the left edge of the plotting area. */
export interface StripSpan {
  left: number;
  width: number;
}

/** CSS pixels: a report's cell around its time, as wide as a letter needs, and the gap between days. */
const reportWidth = 14;
const gap = 1;

/** Returns the window of a strip in epoch milliseconds. */
export function windowOf({ from, to }: SymptomStripResponse): ChartWindow {
  return { from: parseInstant(from) ?? 0, to: parseInstant(to) ?? 0 };
}

/**
 * Returns the place of each column on an axis of a width: a day from its beginning to its end, as far as the window
 * shows it; a report around its time, within the axis.
 */
export function stripSpans(strip: SymptomStripResponse, width: number): StripSpan[] {
  const { from, to } = windowOf(strip);
  const xOf = (at: number): number => ((Math.min(Math.max(at, from), to) - from) / (to - from)) * width;
  return strip.columns.map(({ at }, index) => {
    const start = xOf(parseInstant(at) ?? from);
    if (!strip.isDaily) {
      // Whole at the ends too: the newest report is often a minute old.
      const left = Math.max(Math.min(start - reportWidth / 2, width - reportWidth), 0);
      return { left, width: reportWidth };
    }
    const next = strip.columns[index + 1];
    const end = next === undefined ? width : xOf(parseInstant(next.at) ?? to);
    const room = end - start;
    return { left: start, width: room > 4 * gap ? room - gap : room };
  });
}

/** Returns the column at a place; the newest one if several lie there; null if none does. */
export function columnAt(spans: readonly StripSpan[], x: number): number | null {
  const found = spans.findLastIndex(({ left, width }) => x >= left && x < left + width + gap);
  return found === -1 ? null : found;
}
