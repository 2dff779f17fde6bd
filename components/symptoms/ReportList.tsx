import { useState, type ReactNode } from 'react';
import { useRead } from '../../hooks/useRead';
import type { Patient } from '../../lib/patients/schema';
import type { ListedReport } from '../../lib/symptoms/schema';
import type { SymptomStripResponse } from '../../lib/symptoms/stripSchema';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { antdOnDemand } from '../ui/antdOnDemand';
import { AsyncView } from '../ui/AsyncView';
import { ReportText } from './ReportText';
import { reportTime } from './reportTime';
import { windowOf } from './stripCells';
import styles from './SymptomStrip.module.css';

const MarkReportDrawer = antdOnDemand(() => import('./MarkReportDrawer').then((module) => module.MarkReportDrawer));

interface ReportListProps {
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

/** Every report of the time shown, with who wrote it down. Read only while it is open. */
export function ReportList(props: ReportListProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className={styles.disclosure}
      onToggle={(event) => {
        setIsOpen(event.currentTarget.open);
      }}
    >
      <summary>Reports</summary>
      {isOpen ? <Reports {...props} /> : null}
    </details>
  );
}

function Reports({ patient, canMark, onChanged, strip, timeZone }: ReportListProps) {
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
