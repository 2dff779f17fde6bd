import { Button } from 'antd';
import { useState } from 'react';
import { useRead } from '../../hooks/useRead';
import type { ErrorReport, ErrorReports } from '../../lib/monitoring/schema';
import type { User } from '../../lib/session/schema';
import { formatDateAndSeconds } from '../../lib/time/formatTime';
import { AsyncView } from '../ui/AsyncView';
import { EmptyState } from '../ui/EmptyState';
import { ListSkeleton } from '../ui/ListSkeleton';
import { TextField } from '../ui/TextField';
import { AdminNavigation } from './AdminNavigation';
import { AdminTable } from './AdminTable';
import styles from './admin.module.css';

interface ErrorsTableProps {
  reports: readonly ErrorReport[];
  timeZone: string;
}

const columns = ['Last', 'What', 'Where', 'Times', 'Release', 'Newest report'];

/** The errors, one row for errors that are alike. */
function ErrorsTable({ reports, timeZone }: ErrorsTableProps) {
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

/** The errors of pages and the server: when, what, in which release, how often, on which page. */
export function ErrorsScreen({ user }: { user: User }) {
  const { timeZone } = user.site;
  // This page shows antd's fields, so it does not wait for the end of the load.
  const answer = useRead('listErrors', {});
  const [wanted, setWanted] = useState('');
  const found = ({ items }: ErrorReports): ErrorReport[] => items.filter((item) => hasReport(item, wanted));
  return (
    <div className={styles.screen}>
      <AdminNavigation user={user} />
      <h1>Errors</h1>
      <p className={styles.text}>
        The last 1,000 errors of pages and the server, grouped. A report names the place in the code and the page, and
        holds no patient data.
      </p>
      <div className={styles.filters}>
        <TextField label="Report ID" autoComplete="off" value={wanted} onChange={setWanted} />
      </div>
      <AsyncView
        answer={answer}
        isEmpty={(data) => found(data).length === 0}
        skeleton={<ListSkeleton label="The errors are loading" rows={5} />}
        empty={(data) => <Nothing {...data} onShowAll={() => setWanted('')} />}
        timeZone={timeZone}
      >
        {(data) => <ErrorsTable reports={found(data)} timeZone={timeZone} />}
      </AsyncView>
    </div>
  );
}

/** Ignores spaces and capitals, and takes the start of an id: users read it out on the telephone. */
function hasReport({ reports }: ErrorReport, wanted: string): boolean {
  const plain = wanted.replaceAll(/\s/g, '').toLowerCase();
  return plain === '' || reports.some((id) => id.startsWith(plain));
}

function Nothing({ items, isPassedOn, onShowAll }: ErrorReports & { onShowAll: () => void }) {
  if (items.length > 0) {
    return (
      <EmptyState title="No error has this report">
        <p>It may be older than the last 1,000 errors, or grouped with another.</p>
        <Button onClick={onShowAll}>Show all errors</Button>
      </EmptyState>
    );
  }
  return isPassedOn ? (
    <EmptyState title="Errors go to your receiver">
      <p>This installation sends its error reports to the receiver in SENTRY_DSN and keeps none.</p>
    </EmptyState>
  ) : (
    <EmptyState title="No errors recorded">
      <p>Errors of pages and the server are listed here. No setup is needed.</p>
    </EmptyState>
  );
}
