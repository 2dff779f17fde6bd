import { Button } from 'antd';
import { useState, Fragment } from 'react';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import type { HistoryAddress } from '../../lib/alerts/historyAddress';
import type { HistoryItem, HistoryPage } from '../../lib/alerts/historySchema';
import { closingWords } from '../../lib/alerts/logWords';
import { outcomeLabels } from '../../lib/alerts/outcomeLabels';
import { isPriority, priorityLabels } from '../../lib/alerts/priority';
import { waitWords } from '../../lib/alerts/waitWords';
import type { CallInput } from '../../lib/browser/client';
import { paths } from '../../lib/paths';
import type { User } from '../../lib/session/schema';
import { formatDayAndTime, formatTimeWithSeconds, zoneLabel, formatDate } from '../../lib/time/formatTime';
import { startOfDay } from '../../lib/time/startOfDay';
import { AsyncView } from '../ui/AsyncView';
import { EmptyState } from '../ui/EmptyState';
import { ListSkeleton } from '../ui/ListSkeleton';
import { PatientName } from '../ui/PatientName';
import { PlainTable } from '../ui/PlainTable';
import { PriorityShape } from '../ui/PriorityShape';
import { onDemand } from '../ui/onDemand';
import { HistoryFilters, isFiltered, noFilters } from './HistoryFilters';
import styles from './history.module.css';
import { historyPlaceParts, historySubject } from './historySubject';

interface HistoryTableProps {
  items: readonly HistoryItem[];
  timeZone: string;
  onLog: (alert: HistoryItem) => void;
}

const columns = ['Raised', 'Priority', 'Patient', 'What', 'Answered', 'State'];

/** The alerts of the history, one a row. */
function HistoryTable({ items, timeZone, onLog }: HistoryTableProps) {
  return (
    <PlainTable
      className={styles.table}
      region="Alerts of this time"
      label="Alerts"
      columns={columns}
      unseenColumn="Log"
    >
      {items.map((item) => (
        <Row key={item.id} item={item} timeZone={timeZone} onLog={onLog} />
      ))}
    </PlainTable>
  );
}

function Row({ item, timeZone, onLog }: { item: HistoryItem } & Omit<HistoryTableProps, 'items'>) {
  const raisedAt = Date.parse(item.raisedAt);
  const { patient, patientId } = item;
  return (
    <tr className="ant-table-row">
      <td className="ant-table-cell">
        {formatDate(raisedAt, timeZone)}
        <span className={styles.line}>{formatTimeWithSeconds(raisedAt, timeZone)}</span>
      </td>
      <td className="ant-table-cell">
        <span className={styles.priority}>
          <PriorityShape priority={item.priority} look={item.closedAt === null ? 'outlined' : 'inherited'} size={20} />
          {priorityLabels[item.priority]}
        </span>
      </td>
      <td className="ant-table-cell">
        {patient === null || patientId === null ? (
          historySubject(item)
        ) : (
          <PatientName patient={{ ...patient, id: patientId }} />
        )}
        <span className={styles.line}>
          {historyPlaceParts(item).map((part, index) => (
            <Fragment key={part}>
              {index === 0 ? null : ' · '}
              <span className={styles.part} title={part}>
                {part}
              </span>
            </Fragment>
          ))}
        </span>
      </td>
      <td className="ant-table-cell">
        {item.sentence}
        <span className={styles.line}>{lastedWords(item)}</span>
      </td>
      <td className="ant-table-cell">
        {answerWords('Acknowledged', item.raisedAt, item.acknowledgedAt)}
        <span className={styles.line}>{answerWords('Taken', item.raisedAt, item.acceptedAt)}</span>
        {item.highestStep === null || item.highestStep === 0 ? null : (
          <span className={styles.line}>Reached step {item.highestStep}</span>
        )}
      </td>
      <td className="ant-table-cell">{stateWords(item)}</td>
      <td className="ant-table-cell">
        <Button onClick={() => onLog(item)}>
          Log<span className="visually-hidden">{` of the alert of ${historySubject(item)}`}</span>
        </Button>
      </td>
    </tr>
  );
}

/** An open condition has no end, and so no length. */
function lastedWords({ startedAt, endedAt, condition }: HistoryItem): string {
  if (condition === 'active') {
    return 'ongoing';
  }
  const ms = endedAt === null ? -1 : Date.parse(endedAt) - Date.parse(startedAt);
  return ms < 0 ? '' : `lasted ${waitWords(ms)}`;
}

function answerWords(what: 'Acknowledged' | 'Taken', raisedAt: string, at: string | null): string {
  if (at === null) {
    return `Not ${what.toLowerCase()}`;
  }
  const ms = Date.parse(at) - Date.parse(raisedAt);
  return ms < 0 ? what : `${what} after ${waitWords(ms)}`;
}

function stateWords({ closedAt, closedBecause, condition, outcome }: HistoryItem): string {
  const came = outcome === null ? '' : `: ${outcomeLabels[outcome]}`;
  if (closedAt === null) {
    return `${condition === 'active' ? 'Open' : 'Open, condition ended'}${came}`;
  }
  return outcome === null && closedBecause !== null ? `Closed: ${closingWords[closedBecause]}` : `Closed${came}`;
}

const AlertLogDrawer = onDemand(() => import('./AlertLogDrawer').then((module) => module.AlertLogDrawer));

interface HistoryViewProps {
  user: User;
  now: number;
  address: HistoryAddress;
  onChange: (change: Partial<HistoryAddress>) => void;
}

type Query = CallInput<'exportAlertHistory'>['query'];

/**
 * The alerts of a time, the newest first. The list ends with the moment at which it was opened, so that no row moves
 * under the pointer; "Refresh" brings what came since.
 */
export function HistoryView({ user, now, address, onChange }: HistoryViewProps) {
  const { timeZone } = user.site;
  const [openedAt, setOpenedAt] = useState(now);
  // Where each older page begins, of these filters. The last one is shown.
  const [pages, setPages] = useState<{ of: string; starts: readonly string[] }>({ of: '', starts: [] });
  const [shown, setShown] = useState<HistoryItem | null>(null);
  const filters = queryOf(address, openedAt, timeZone);
  const of = JSON.stringify(filters);
  const starts = pages.of === of ? pages.starts : [];
  const before = starts.at(-1);
  const answer = useRead(
    'listAlertHistory',
    { query: before === undefined ? filters : { ...filters, before } },
    { keepPreviousData: true, everyMs: 600_000 },
  );
  return (
    <>
      <HistoryFilters user={user} address={address} onChange={onChange} />
      <div className={styles.toolbar}>
        <p className={styles.quiet}>
          {answer.data === undefined ? ' ' : spanWords(answer.data, answer.asOf, timeZone)}
        </p>
        <div className={styles.actions}>
          {isFiltered(address) ? <Button onClick={() => onChange(noFilters)}>Show all</Button> : null}
          <RefreshButton now={now} onRefresh={setOpenedAt} />
          <a
            className="ant-btn wardlight ant-btn-default ant-btn-color-default ant-btn-variant-outlined"
            href={paths.alertHistoryExport(filters)}
            download
          >
            Export as CSV
          </a>
        </div>
      </div>
      <AsyncView
        answer={answer}
        isEmpty={({ items }) => items.length === 0}
        skeleton={<ListSkeleton label="Alerts are loading" rows={8} />}
        empty={() => (
          <EmptyState title="No alerts in this time with these filters">
            <p className={styles.quiet}>Choose another time or fewer filters.</p>
          </EmptyState>
        )}
        timeZone={timeZone}
      >
        {({ items, next }) => (
          <>
            <HistoryTable items={items} timeZone={timeZone} onLog={setShown} />
            <div className={styles.actions}>
              <Button disabled={starts.length === 0} onClick={() => setPages({ of, starts: starts.slice(0, -1) })}>
                Previous Page
              </Button>
              <Button
                disabled={next === null}
                onClick={() => setPages({ of, starts: next === null ? starts : [...starts, next] })}
              >
                Next Page
              </Button>
            </div>
          </>
        )}
      </AsyncView>
      {shown === null ? null : (
        <AlertLogDrawer
          alert={shown}
          timeZone={timeZone}
          onPatient={(id) => {
            setShown(null);
            onChange({ patient: String(id) });
          }}
          onClose={() => setShown(null)}
        />
      )}
    </>
  );
}

function RefreshButton({ now: initial, onRefresh }: { now: number; onRefresh: (now: number) => void }) {
  const now = useNow(initial);
  return <Button onClick={() => onRefresh(now)}>Refresh</Button>;
}

/** "09 Nov, 10:20 to 23 Nov, 10:20 GMT, newest first, as of 10:20:04". */
function spanWords({ from, to }: Pick<HistoryPage, 'from' | 'to'>, asOf: number | null, timeZone: string): string {
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const span = `${formatDayAndTime(begin, timeZone)} to ${formatDayAndTime(end, timeZone)} ${zoneLabel(end, timeZone)}`;
  return `${span}, newest first${asOf === null ? '' : `, as of ${formatTimeWithSeconds(asOf, timeZone)}`}`;
}

function queryOf(address: HistoryAddress, openedAt: number, timeZone: string): Query {
  const { from, to, unit, patient, priority, rule, state, person } = address;
  const until = to === '' ? openedAt : Math.min(openedAt, startOfDay(to, timeZone, 1));
  return {
    ...(from === '' ? {} : { from: new Date(startOfDay(from, timeZone)).toISOString() }),
    to: new Date(until).toISOString(),
    ...(unit === '' ? {} : { unitId: unit }),
    ...(patient === '' ? {} : { patientId: patient }),
    ...(isPriority(priority) ? { priority } : {}),
    ...(rule === '' ? {} : { rule }),
    ...(state === 'open' || state === 'closed' ? { state } : {}),
    ...(person === '' ? {} : { person }),
  };
}
