import { formatDate } from '../time/formatTime';
import type { ChartSummary } from './schema';

export const codeStatusWords = {
  full: 'Full treatment',
  noCpr: 'Not for CPR',
  limited: 'Limited treatment',
} as const;

/**
 * Returns a code status with its source and date: "Not for CPR (letter of the practice, 07 Mar 2026)". Null if none is
 * recorded, which is not full treatment.
 */
export function codeStatusText(entry: ChartSummary['codeStatus'], timeZone: string): string | null {
  if (entry === null) {
    return null;
  }
  const { value, source, effectiveAt } = entry;
  const words = codeStatusWords[value.status];
  const date = effectiveAt === null ? null : formatDate(Date.parse(effectiveAt), timeZone);
  const from = [source, date].filter((part) => part !== null).join(', ');
  return `${words}${value.limits === null ? '' : `: ${value.limits}`}${from === '' ? '' : ` (${from})`}`;
}
