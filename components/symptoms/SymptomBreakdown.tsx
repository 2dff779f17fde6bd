import { Button } from 'antd';
import { useState, type ReactNode } from 'react';
import type { ReadState } from '../../hooks/readState';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import { useServerLost } from '../../hooks/useServerLost';
import type { Patient } from '../../lib/patients/schema';
import type { ListedReport } from '../../lib/symptoms/schema';
import { cellCodes } from '../../lib/symptoms/severity';
import type { SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import { redFlags, symptoms } from '../../lib/symptoms/symptoms';
import { cellWords } from '../../lib/symptoms/words';
import { formatAge, formatDayAndTime } from '../../lib/time/formatTime';
import { parseInstant } from '../../lib/time/parseInstant';
import { type ChartRange, rangeSince } from '../../lib/vitals/chartRanges';
import { AsyncView } from '../ui/AsyncView';
import { antdOnDemand } from '../ui/antdOnDemand';
import { Disclosure } from '../ui/Disclosure';
import { ReportText } from './ReportText';
import { SymptomStrip } from './SymptomStrip';
import styles from './SymptomStrip.module.css';
import { reportTime } from './reportTime';
import { windowOf } from './stripCells';
import { columnTime, reportsText, wordsOfCell } from './stripWords';

const MarkReportDrawer = antdOnDemand(() => import('./MarkReportDrawer').then((module) => module.MarkReportDrawer));

interface ReportsProps {
  patient: Patient;
  /** Whether the user may mark a report as entered in error. */
  canMark: boolean;
  /** Called after a report was marked. */
  onChanged: () => void;
  strip: SymptomStripResponse;
  timeZone: string;
}

const pageSize = 25;
const minuteMs = 60_000;

/** Every report of the time shown, with who wrote it down. */
function Reports({ patient, canMark, onChanged, strip, timeZone }: ReportsProps) {
  const patientId = patient.id;
  const [pages, setPages] = useState(1);
  const [marked, setMarked] = useState<ListedReport | null>(null);
  const { from, to } = windowOf(strip);
  // Whole minutes: another time would be another read with each poll of the strip.
  const query = {
    from: new Date(Math.floor(from / minuteMs) * minuteMs).toISOString(),
    to: new Date((Math.floor(to / minuteMs) + 1) * minuteMs).toISOString(),
    page: 1,
    pageSize: Math.min(pages * pageSize, 500),
  };
  const answer = useRead('listSymptomReports', { params: { id: patientId }, query }, { keepPreviousData: true });
  return (
    <AsyncView
      answer={answer}
      isEmpty={({ items }) => items.length === 0}
      skeleton={<p className={styles.none}>Reports are loading</p>}
      empty={() => <p className={styles.none}>No report in this time.</p>}
      timeZone={timeZone}
    >
      {({ items, total }) => (
        <>
          <ul className={styles.reports} aria-label="Reports of symptoms, newest first">
            {items
              .filter((report) => report.patientId === patientId)
              .map((report) => (
                <Report key={report.id} report={report} timeZone={timeZone}>
                  {canMark && report.inError === null ? (
                    <button
                      type="button"
                      className={styles.mark}
                      aria-label={`Mark as entered in error: report of ${reportTime(report, timeZone)}`}
                      onClick={() => setMarked(report)}
                    >
                      Mark as entered in error
                    </button>
                  ) : null}
                </Report>
              ))}
          </ul>
          {total > items.length && items.length < 500 ? (
            <button type="button" className={styles.more} onClick={() => setPages(pages + 1)}>
              Show older reports ({total - items.length} more)
            </button>
          ) : null}
          {marked === null ? null : (
            <MarkReportDrawer
              report={marked}
              patient={patient}
              timeZone={timeZone}
              onChanged={onChanged}
              onClose={() => setMarked(null)}
            />
          )}
        </>
      )}
    </AsyncView>
  );
}

function Report({ report, timeZone, children }: { report: ListedReport; timeZone: string; children: ReactNode }) {
  const { inError } = report;
  const said = <ReportText report={report} />;
  return (
    <li>
      <div className={styles.who}>
        {reportTime(report, timeZone)}, {reporterText(report)}
      </div>
      {inError === null ? (
        said
      ) : (
        <>
          <div>
            Entered in error: {inError.reason} ({inError.by.name},{' '}
            {inError.at === null ? 'at an unknown time' : formatDayAndTime(Date.parse(inError.at), timeZone)})
          </div>
          <s>{said}</s>
        </>
      )}
      {children}
    </li>
  );
}

function reporterText(report: ListedReport): string {
  if ('isUnreadable' in report) {
    return 'damaged in the database';
  }
  const { source, recordedBy } = report;
  switch (source) {
    case 'staff':
      return `recorded by ${recordedBy?.name ?? 'staff'}`;
    case 'patient':
      return 'sent by the patient';
    case 'proxy':
      return 'sent by a relative';
    default:
      return source satisfies never;
  }
}

interface StripTableProps {
  strip: SymptomStripResponse;
  /** What it shows, with the patient's name. */
  name: string;
  timeZone: string;
}

/** Few enough that an update of an open table stays short. */
const columnsAtOnce = 60;

/** The strip in words, the newest first, for users who cannot see it. Renders its rows only while it is open. */
function StripTable({ strip, name, timeZone }: StripTableProps) {
  const [shown, setShown] = useState(columnsAtOnce);
  const columns = strip.columns.map((column, index) => ({ ...column, index })).toReversed();
  return (
    <Disclosure summary="Table of symptoms">
      {() => (
        <div className={styles.scroll} role="region" aria-label={`${name}, table`} tabIndex={0}>
          <table className={styles.table}>
            <caption className="visually-hidden">{name}, newest first</caption>
            <thead>
              <tr>
                <th scope="col">{strip.isDaily ? 'Day' : 'Time'}</th>
                <th scope="col">Reports</th>
                <th scope="col">Red flags</th>
                <th scope="col">{strip.isDaily ? 'Worst of the day' : 'Answers'}</th>
              </tr>
            </thead>
            <tbody>
              {columns.slice(0, shown).map(({ at, index, reports, unreadable, redFlags: flags }) => (
                <tr key={`${at} ${index}`}>
                  <th scope="row">{columnTime(strip, index, timeZone)}</th>
                  <td>{unreadable === 0 ? reports : reportsText(reports, unreadable)}</td>
                  <td>
                    {flags.length === 0
                      ? unreadable === 0
                        ? 'none'
                        : 'cannot be read'
                      : flags.map((flag) => redFlags[flag]).join('; ')}
                  </td>
                  <td>
                    {strip.rows
                      .filter(({ cells }) => cells[index] !== '.')
                      .map(({ symptom, cells }) => `${symptoms[symptom].label} ${wordsOfCell(cells, index)}`)
                      .join(', ') || (unreadable === 0 ? 'not asked' : 'cannot be read')}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {columns.length > shown ? (
            <button type="button" className={styles.more} onClick={() => setShown(shown + columnsAtOnce)}>
              Show older ones ({columns.length - shown} more)
            </button>
          ) : null}
        </div>
      )}
    </Disclosure>
  );
}

interface LastReportProps {
  /** When the patient's newest report was made; null: no report is known. */
  reportedAt: string | null;
  /** The server's time at the first paint, epoch milliseconds. */
  now: number;
  timeZone: string;
  onRange: (range: ChartRange) => void;
}

/** In the place of a strip without reports: how old the newest one is, and the range that shows it. */
function LastReport({ reportedAt, now: initialNow, timeZone, onRange }: LastReportProps) {
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

interface SymptomBreakdownProps {
  symptoms: ReadState<SymptomStripResponse>;
  patient: Patient;
  patientName: string;
  /** The server's time at the first paint, epoch milliseconds. */
  now: number;
  timeZone: string;
  onRange: (range: ChartRange) => void;
  /** Whether the user may mark a report as entered in error. */
  canMark: boolean;
  /** Called after a report was marked. */
  onChanged: () => void;
}

/** What one patient reported over the time of the charts above: the strip, its table, and each report. */
export function SymptomBreakdown(props: SymptomBreakdownProps) {
  const { symptoms, patient, patientName, now, timeZone, onRange, canMark, onChanged } = props;
  const shown = symptoms.data;
  const isLost = useServerLost() !== null;
  const hasOpenFlag = patient.alerts.some(
    ({ parameter, priority, condition }) => parameter === 'symptoms' && priority === 'high' && condition === 'active',
  );
  return (
    <section className={styles.section} aria-label={`Symptoms of ${patientName}`}>
      <h3 className={styles.heading}>
        Symptoms<span className="visually-hidden"> of {patientName}</span>
      </h3>
      <AsyncView
        answer={symptoms}
        isEmpty={(strip) =>
          strip.rows.length === 0 && strip.columns.every(({ reports, unreadable }) => reports + unreadable === 0)
        }
        skeleton={<p className={styles.none}>Symptoms are loading</p>}
        empty={() => (
          <LastReport
            reportedAt={patient.symptoms?.reportedAt ?? null}
            now={now}
            timeZone={timeZone}
            onRange={onRange}
          />
        )}
        timeZone={timeZone}
      >
        {(strip) => (
          <div data-not-live={isLost ? '' : undefined}>
            <SymptomStrip strip={strip} patientName={patientName} timeZone={timeZone} hasOpenFlag={hasOpenFlag} />
            <Key hasUnreadable={strip.columns.some(({ unreadable }) => unreadable > 0)} />
            <StripTable strip={strip} name={`Symptoms of ${patientName}`} timeZone={timeZone} />
          </div>
        )}
      </AsyncView>
      {/* Also without a strip: a check-in of readings alone is in none, and may be of another person. */}
      {shown === undefined ? null : (
        <div data-not-live={isLost ? '' : undefined}>
          <Disclosure summary="Reports">
            {() => <Reports {...{ patient, canMark, onChanged, timeZone }} strip={shown} />}
          </Disclosure>
        </div>
      )}
    </section>
  );
}

function Key({ hasUnreadable }: { hasUnreadable: boolean }) {
  const codes = cellCodes.filter((code) => hasUnreadable || code !== '?');
  return (
    <ul className={styles.key} aria-label="Key">
      {codes.toReversed().map((code) => (
        <li key={code}>
          <span className={styles.swatch} data-step={code} aria-hidden="true">
            {code === 'u' || code === '.' ? null : code}
          </span>
          {cellWords[code]}
        </li>
      ))}
    </ul>
  );
}
