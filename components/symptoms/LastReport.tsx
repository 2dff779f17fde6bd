import { Button } from 'antd';
import { useNow } from '../../hooks/useNow';
import { formatAge, formatDayAndTime } from '../../lib/time/formatTime';
import { parseInstant } from '../../lib/time/parseInstant';
import { rangeSince, type ChartRange } from '../../lib/vitals/chartRanges';
import styles from './SymptomStrip.module.css';

interface LastReportProps {
  /** When the patient's newest report was made; null: no report is known. */
  reportedAt: string | null;
  /** The server's time at the first paint, epoch milliseconds. */
  now: number;
  timeZone: string;
  onRange: (range: ChartRange) => void;
}

/** In the place of a strip without reports: how old the newest one is, and the range that shows it. */
export function LastReport({ reportedAt, now: initialNow, timeZone, onRange }: LastReportProps) {
  const now = useNow(initialNow);
  const at = reportedAt === null ? null : parseInstant(reportedAt);
  const range = at === null ? null : rangeSince(now - at);
  return (
    <div className={styles.none}>
      <p>No symptom report in this time. That does not mean no symptoms.</p>
      {at === null ? null : (
        <p>
          Last report: {formatAge(now - at)} ago, {formatDayAndTime(at, timeZone)}{' '}
          {range === null ? null : <Button onClick={() => onRange(range)}>Show {range.name}</Button>}
        </p>
      )}
    </div>
  );
}
