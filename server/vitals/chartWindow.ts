import { parseInstant } from '../../lib/time/parseInstant';
import type { EpochMs } from '../../lib/time/epochMs';
import { HttpError } from '../http/httpError';

const usualSpanMs = 3_600_000;
/** As long as the minutes are kept. */
const longestSpanMs = 400 * 86_400_000;

/** Returns the window of a chart, by default the last hour. Throws 400 if it ends first or is over 400 days. */
export function chartWindow(asked: { from?: string; to?: string }, now: EpochMs): { from: EpochMs; to: EpochMs } {
  const to = (asked.to === undefined ? null : parseInstant(asked.to)) ?? now;
  const from = (asked.from === undefined ? null : parseInstant(asked.from)) ?? to - usualSpanMs;
  if (from > to || to - from > longestSpanMs) {
    const message = from > to ? 'is after to' : 'is more than 400 days before to';
    throw new HttpError(400, 'malformed_request', `from: ${message}`, { fields: { from: message } });
  }
  return { from, to };
}
