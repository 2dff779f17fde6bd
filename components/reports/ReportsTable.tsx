import { useFrozenValue } from '../../hooks/useFrozenValue';
import { keepPlaces } from '../../lib/keepPlaces';
import { reportKinds } from '../../lib/reports/reportKinds';
import { reportStatuses } from '../../lib/reports/reportStatuses';
import type { ListedReport } from '../../lib/reports/schema';
import { severityWords } from '../../lib/reports/entryWords';
import { Age } from '../ui/Age';
import { reachedWords, reportPlace, reportTitle } from './reportRow';
import styles from './reports.module.css';

interface ReportsTableProps {
  items: readonly ListedReport[];
  /** A number while a user points at the list (`useFreeze`), else null. */
  frozen: number | null;
  now: number;
  timeZone: string;
  onOpen: (id: number, button: HTMLElement) => void;
}

const columns = ['No.', 'Severity', 'Title', 'Kind', 'Place', 'Status', 'Assignee', 'Age', 'Progress'];

/** One report a row. While someone points at them rows stay in their places; what they say is as new as the poll. */
export function ReportsTable({ items, frozen, now, timeZone, onOpen }: ReportsTableProps) {
  const rows = keepPlaces(useFrozenValue(items, frozen), items, ({ id }) => id);
  return (
    <div
      className={`${styles.table} ant-table-wrapper wardlight ant-table-css-var`}
      role="region"
      aria-label="Issue reports"
      tabIndex={0}
    >
      <div className="ant-table">
        <div className="ant-table-container">
          <table aria-label="Issue reports">
            <thead className="ant-table-thead">
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col" className="ant-table-cell">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="ant-table-tbody">
              {rows.map((report) => (
                <Row key={report.id} report={report} now={now} timeZone={timeZone} onOpen={onOpen} />
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </div>
  );
}

function Row({
  report,
  now,
  timeZone,
  onOpen,
}: { report: ListedReport } & Omit<ReportsTableProps, 'items' | 'frozen'>) {
  const { id, severity, kind, status, assignee, alarm, isUnread } = report;
  const reached = reachedWords(report);
  return (
    <tr className="ant-table-row">
      <td className="ant-table-cell">{id}</td>
      <td className="ant-table-cell" title={severityWords(severity)}>
        {severity === 'S1' ? <strong>{severity}</strong> : severity}
        {alarm === 'open' || alarm === 'opening' ? <span className={styles.line}>alerting</span> : null}
      </td>
      <td className="ant-table-cell">
        <button
          type="button"
          className={styles.open}
          title={reportTitle(report)}
          onClick={({ currentTarget }) => onOpen(id, currentTarget)}
        >
          <span className="visually-hidden">{`Open report ${id}: `}</span>
          {isUnread ? <strong>News: </strong> : null}
          {reportTitle(report)}
        </button>
      </td>
      <td className="ant-table-cell">{reportKinds[kind]}</td>
      <td className="ant-table-cell">
        <span className={styles.cut} title={reportPlace(report)}>
          {reportPlace(report)}
        </span>
      </td>
      <td className="ant-table-cell">{reportStatuses[status]}</td>
      <td className="ant-table-cell">
        <span className={styles.cut}>{assignee?.name ?? 'No one yet'}</span>
      </td>
      <td className="ant-table-cell">
        <Age since={Date.parse(report.reportedAt)} now={now} timeZone={timeZone} />
      </td>
      <td className="ant-table-cell">
        {/* Two lines have room: the drawer has every step. */}
        <span className={styles.line} title={reached.join(', ')}>
          {reached.filter((_, at) => at === 0 || at === reached.length - 1).join(', ')}
        </span>
      </td>
    </tr>
  );
}
