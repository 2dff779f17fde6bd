import { formatDate } from '../time/formatTime';
import { codeStatusWords } from './entryWords';
import type { ChartSummary } from './schema';

/**
 * Returns a code status with its source and date: "No CPR (letter of the practice, 07 Mar 2026)". Null if none is
 * recorded, which is not full treatment.
 */
export function codeStatusText(entry: ChartSummary['codeStatus'], timeZone: string): string | null {
  if (entry === null) {
    return null;
  }
  const { value, source, effectiveAt } = entry;
  const date = effectiveAt === null ? null : formatDate(Date.parse(effectiveAt), timeZone);
  const from = [source, date].filter((part) => part !== null).join(', ');
  return `${codeStatusWords(value)}${from === '' ? '' : ` (${from})`}`;
}
