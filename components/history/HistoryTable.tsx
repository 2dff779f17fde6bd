import { Button } from 'antd';
import { Fragment } from 'react';
import { closingWords } from '../../lib/alerts/logWords';
import { outcomeLabels } from '../../lib/alerts/outcomeLabels';
import { priorityLabels } from '../../lib/alerts/priority';
import type { HistoryItem } from '../../lib/alerts/historySchema';
import { waitWords } from '../../lib/alerts/waitWords';
import { formatDate, formatTimeWithSeconds } from '../../lib/time/formatTime';
import { PatientName } from '../ui/PatientName';
import { PriorityShape } from '../ui/PriorityShape';
import { historyPlaceParts, historySubject } from './historySubject';
import styles from './history.module.css';

interface HistoryTableProps {
  items: readonly HistoryItem[];
  timeZone: string;
  onLog: (alert: HistoryItem) => void;
}

const columns = ['Raised', 'Priority', 'Patient', 'What', 'Answered', 'State'];

/** The alerts of the history, one a row: a native table in antd's classes (docs/decisions/pages.md). */
export function HistoryTable({ items, timeZone, onLog }: HistoryTableProps) {
  return (
    <div
      className={`${styles.table} ant-table-wrapper wardlight ant-table-css-var`}
      role="region"
      aria-label="Alerts of this time"
      tabIndex={0}
    >
      <div className="ant-table">
        <div className="ant-table-container">
          <table aria-label="Alerts">
            <thead className="ant-table-thead">
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col" className="ant-table-cell">
                    {column}
                  </th>
                ))}
                <th scope="col" className="ant-table-cell">
                  <span className="visually-hidden">Log</span>
                </th>
              </tr>
            </thead>
            <tbody className="ant-table-tbody">
              {items.map((item) => (
                <Row key={item.id} item={item} timeZone={timeZone} onLog={onLog} />
              ))}
            </tbody>
          </table>
        </div>
      </div>
    </div>
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
