import { dayOf } from '../time/dayOf';
import type { EpochMs } from '../time/epochMs';
import { startOfDay } from '../time/startOfDay';

/** A stretch of time: `until` is the first instant after it. */
export interface Span {
  from: EpochMs;
  until: EpochMs;
}

const hourMs = 3_600_000;

/**
 * Cuts a time into the bars of a chart: hours, or calendar days of a zone. The first and the last one may be shorter,
 * and a day on which the clocks change has 23 or 25 hours.
 */
export function budgetSteps({ from, until }: Span, by: 'hour' | 'day', timeZone: string): Span[] {
  const spans: Span[] = [];
  for (let begin = from; begin < until;) {
    const next = by === 'hour' ? (Math.floor(begin / hourMs) + 1) * hourMs : startOfNextDay(begin, timeZone);
    const end = Math.min(until, next);
    spans.push({ from: begin, until: end });
    begin = end;
  }
  return spans;
}

const startOfNextDay = (at: EpochMs, timeZone: string): EpochMs => startOfDay(dayOf(at, timeZone), timeZone, 1);
