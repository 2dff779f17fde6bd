import type { ChartEntry } from '../../lib/chart/entryWords';
import { formatDate, formatTime } from '../../lib/time/formatTime';

/** "07 Mar 2026, 14:05": a chart is read years later. */
export function chartTime(instant: string, timeZone: string): string {
  const at = Date.parse(instant);
  return `${formatDate(at, timeZone)}, ${formatTime(at, timeZone)}`;
}

type Written = Pick<ChartEntry, 'author' | 'recordedAt' | 'source' | 'effectiveAt'>;

/** "Nia Newcomer, 07 Mar 2026, 14:05 · source: the patient · since 06 Mar 2026, 09:00". */
export function writtenByWords({ author, recordedAt, source, effectiveAt }: Written, timeZone: string): string {
  const by = [author?.name ?? null, recordedAt === null ? null : chartTime(recordedAt, timeZone)];
  return [
    by.every((part) => part === null) ? 'Default' : by.filter((part) => part !== null).join(', '),
    source === null ? null : `source: ${source}`,
    effectiveAt === null || effectiveAt === recordedAt ? null : `since ${chartTime(effectiveAt, timeZone)}`,
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

/** "Entered in error: Nia Newcomer, 07 Mar 2026, 14:05. Wrong patient"; null if no one has marked it. */
export function markWords({ mark, status }: Pick<ChartEntry, 'mark' | 'status'>, timeZone: string): string | null {
  if (mark === null) {
    return null;
  }
  const what = status === 'entered_in_error' ? 'Entered in error' : 'Ended';
  const by = mark.by === null ? '' : `${mark.by.name}, `;
  return `${what}: ${by}${chartTime(mark.at, timeZone)}.${mark.reason === null ? '' : ` ${mark.reason}`}`;
}
