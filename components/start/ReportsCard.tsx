import Link from 'next/link';
import { useRead } from '../../hooks/useRead';
import { paths } from '../../lib/paths';
import { reportStatuses } from '../../lib/reports/reportStatuses';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { Icon } from '../ui/Icon';
import styles from './StartScreen.module.css';

/** Named on the card; the page of reports has the others. */
const mostNamed = 4;

/** What has become of the user's issue reports since they last looked, and what waits for a user who manages them. */
export function ReportsCard({ timeZone }: { timeZone: string }) {
  const { data } = useRead('readReportNews', {}, { everyMs: 15_000 });
  const { items = [], toTriage = 0, assigned = 0 } = data ?? {};
  const waiting = [
    ...(toTriage === 0 ? [] : [`${toTriage} to triage`]),
    ...(assigned === 0 ? [] : [`${assigned} assigned to you`]),
  ];
  return (
    <section className={styles.card} aria-labelledby="reports">
      <h2 id="reports">Your issue reports</h2>
      <p className={styles.number}>{data === undefined ? '–' : items.length}</p>
      <p className={styles.quiet}>
        {data === undefined
          ? 'Not known at the moment'
          : `${items.length === 0 ? 'No news of your reports.' : 'with news since you last looked.'} ${
              waiting.length === 0 ? '' : `${waiting.join(', ')}.`
            }`}
      </p>
      {items.slice(0, mostNamed).map(({ id, title, status, changedAt }) => (
        <Link key={id} href={paths.report(id)} prefetch={false} className={styles.way}>
          {title}: {reportStatuses[status]}, {formatDayAndTime(Date.parse(changedAt), timeZone)}
        </Link>
      ))}
      <Link
        href={paths.reports(items.length > mostNamed ? { mine: 'true', status: 'all' } : {})}
        prefetch={false}
        className={styles.way}
      >
        <Icon name="report" />
        Open the reports
      </Link>
    </section>
  );
}
