import { useMemo, useState, type ReactNode } from 'react';
import { formatClock, formatDateAndSeconds, zoneLabel } from '../../lib/time/formatTime';
import { chartRows, type ChartRow } from '../../lib/vitals/chartRows';
import type { VitalKind } from '../../lib/vitals/kinds';
import { formatVital } from '../../lib/vitals/roundVital';
import { typedWords } from '../../lib/vitals/typedWords';
import { Disclosure } from '../ui/Disclosure';
import { VitalLabel } from '../ui/VitalLabel';
import styles from './ChartTable.module.css';
import type { PlotLine } from './plotModel';

interface ChartTableProps {
  lines: readonly PlotLine[];
  /** What the chart shows, with the patient's name: the name of the table. */
  name: string;
  unit: string;
  timeZone: string;
  /** What the chart shows beside the values, in words. */
  children?: ReactNode;
}

/** The values of a chart for users who cannot see it or want the number. Renders its rows only while it is open. */
export function ChartTable({ children, ...shown }: ChartTableProps) {
  return (
    <Disclosure className={styles.disclosure} summary="Table of values">
      {() => (
        <>
          {children}
          <Rows {...shown} />
        </>
      )}
    </Disclosure>
  );
}

/** Few enough that an update of an open table stays short. */
const rowsAtOnce = 100;

function Rows({ lines, name, unit, timeZone }: Omit<ChartTableProps, 'children'>) {
  const [shown, setShown] = useState(rowsAtOnce);
  const rows = useMemo(() => chartRows(lines), [lines]);
  const hasBuckets = rows.some(({ bucket }) => bucket !== null);
  const hasSeveralKinds = new Set(rows.map(({ kind }) => kind)).size > 1;
  if (rows.length === 0) {
    return <p className={styles.empty}>No values in this time.</p>;
  }
  return (
    <div className={styles.scroll} role="region" aria-label={`${name}, table`} tabIndex={0}>
      <table className={styles.table}>
        <caption className="visually-hidden">{name}, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {hasSeveralKinds ? <th scope="col">Of</th> : null}
            <th scope="col">{hasBuckets ? `Last, ${unit}` : `Value, ${unit}`}</th>
            {hasBuckets ? (
              <>
                <th scope="col">Lowest</th>
                <th scope="col">Highest</th>
                <th scope="col">Samples</th>
              </>
            ) : null}
            <th scope="col">Quality</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shown).map((row) => (
            <tr key={`${row.kind} ${row.at}`}>
              <th scope="row">
                <time dateTime={new Date(row.at).toISOString()}>{rowTime(row.at, timeZone)}</time>
              </th>
              {hasSeveralKinds ? (
                <td>
                  <VitalLabel kind={row.kind} />
                </td>
              ) : null}
              <td>{shownValue(row.kind, row.value)}</td>
              {hasBuckets ? <BucketCells row={row} /> : null}
              <td>{qualityWords(row, timeZone)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown ? (
        <button type="button" className={styles.more} onClick={() => setShown(shown + rowsAtOnce)}>
          Show older values ({rows.length - shown} more)
        </button>
      ) : null}
    </div>
  );
}

function BucketCells({ row: { kind, value, bucket } }: { row: ChartRow }) {
  return (
    <>
      <td>{shownValue(kind, bucket?.low ?? null)}</td>
      <td>{shownValue(kind, bucket?.high ?? null)}</td>
      <td>{bucket?.count ?? (value === null ? 0 : 1)}</td>
    </>
  );
}

function shownValue(kind: VitalKind, value: number | null): string {
  return value === null ? '--' : formatVital(kind, value);
}

/** Returns "good", "questionable, typed in", "good, arrived 14:20": how far a value can be relied on, and its way. */
function qualityWords(row: ChartRow, timeZone: string): string {
  const { at, quality, isPartlySilent, isManual, receivedAt, sentAs } = row;
  return [
    quality,
    isPartlySilent ? 'partly no signal' : '',
    isManual === true ? typedWords(row) : '',
    receivedAt === undefined ? '' : `arrived ${formatClock(receivedAt, at, timeZone)}`,
    sentAs === undefined ? '' : `sent as ${formatClock(sentAs, at, timeZone)}`,
  ]
    .filter((word) => word !== '')
    .join(', ');
}

/** Returns "07 Mar 2026, 14:05:09 GMT", with the zone on every row: the clocks may change within a window. */
function rowTime(at: number, timeZone: string): string {
  return `${formatDateAndSeconds(at, timeZone)} ${zoneLabel(at, timeZone)}`;
}
