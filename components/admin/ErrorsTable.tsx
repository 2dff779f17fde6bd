import type { ErrorReport } from '../../lib/monitoring/schema';
import { formatDateAndSeconds } from '../../lib/time/formatTime';
import { AdminTable } from './AdminTable';
import styles from './admin.module.css';

interface ErrorsTableProps {
  reports: readonly ErrorReport[];
  timeZone: string;
}

const columns = ['Last', 'What', 'Where', 'Times', 'Release', 'Newest report'];

/** The errors, one row for errors that are alike. */
export function ErrorsTable({ reports, timeZone }: ErrorsTableProps) {
  return (
    <AdminTable label="Errors" columns={columns} region="Errors">
      {reports.map(({ source, release, page, name, message, place, count, first, last, reports: ids }) => (
        <tr key={`${source} ${release} ${page} ${name} ${message} ${place}`} className="ant-table-row">
          <td className={`ant-table-cell ${styles.fixed}`}>
            {when(last, timeZone)}
            {count === 1 ? null : <div className={styles.quiet}>since {when(first, timeZone)}</div>}
          </td>
          <td className="ant-table-cell">
            {name}: {message}
            {place === '' ? null : <div className={styles.quiet}>{place}</div>}
          </td>
          <td className="ant-table-cell">
            {page}
            <div className={styles.quiet}>{source === 'page' ? 'in the browser' : 'on the server'}</div>
          </td>
          <td className="ant-table-cell">{count}</td>
          <td className={`ant-table-cell ${styles.fixed}`}>{release}</td>
          <td className="ant-table-cell">
            <code>{ids[0] ?? ''}</code>
          </td>
        </tr>
      ))}
    </AdminTable>
  );
}

function when(instant: string, timeZone: string): string {
  return formatDateAndSeconds(Date.parse(instant), timeZone);
}
