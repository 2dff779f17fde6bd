import { entryWords, unitsAt } from '../../lib/reports/entryWords';
import type { IssueReport, ReportEntry } from '../../lib/reports/schema';
import { formatDate, formatTimeWithSeconds } from '../../lib/time/formatTime';
import styles from './reports.module.css';

interface ReportHistoryProps {
  entries: readonly ReportEntry[];
  /** The report's present unit; null: none. */
  unit: IssueReport['unit'];
  now: number;
  timeZone: string;
}

/** What happened to a report, the oldest first. */
export function ReportHistory({ entries, unit, now, timeZone }: ReportHistoryProps) {
  const today = formatDate(now, timeZone);
  const units = unitsAt(entries, unit);
  return (
    <section aria-labelledby="report-history">
      <h2 id="report-history">History</h2>
      <ol className={styles.history}>
        {entries.map((entry, place) => {
          const at = Date.parse(entry.at);
          const day = formatDate(at, timeZone);
          return (
            <li key={entry.id}>
              <span className={styles.line}>
                {day === today ? '' : `${day}, `}
                {formatTimeWithSeconds(at, timeZone)}, {whoWords(entry)}
              </span>
              {entryWords(entry, units[place] ?? null)}
              {entry.text === null ? null : <p className={styles.text}>{entry.text}</p>}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function whoWords({ by, isByReporter }: ReportEntry): string {
  if (by === null) {
    return isByReporter ? 'the reporter' : 'by itself';
  }
  return isByReporter ? `${by.name} (reporter)` : by.name;
}
