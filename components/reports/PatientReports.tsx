import { useState } from 'react';
import { askForReport } from '../../hooks/issueReporting';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import { isGone } from '../../lib/api/failureCause';
import { reportKinds } from '../../lib/reports/reportKinds';
import { reportStatuses } from '../../lib/reports/reportStatuses';
import type { Patient } from '../../lib/patients/schema';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { AsyncView } from '../ui/AsyncView';
import { Age } from '../ui/Age';
import { ListSkeleton } from '../ui/ListSkeleton';
import { NativeButton } from '../ui/NativeButton';
import { onDemand } from '../ui/onDemand';
import { Pages } from '../ui/Pages';
import { patientName } from '../ui/PatientName';
import { reportTitle } from './reportRow';
import styles from './reports.module.css';

const ReportDetailDrawer = onDemand(() => import('./ReportDetailDrawer').then((module) => module.ReportDetailDrawer));

const pageSize = 10;
const everyMs = 15_000;

interface PatientReportsProps {
  patient: Patient;
  user: User;
  /** The server's time at the first paint, epoch milliseconds. */
  now: number;
}

/** The issue reports about one patient, the newest first. */
export function PatientReports({ patient, user, now: initialNow }: PatientReportsProps) {
  const [page, setPage] = useState(1);
  const [opened, setOpened] = useState<number | null>(null);
  const query = { patientId: String(patient.id), page, pageSize };
  const response = useRead('listReports', { query }, { everyMs, keepPreviousData: true });
  const now = useNow(initialNow);
  if (response.error !== undefined && isGone(response.error)) {
    return <p className={styles.quiet}>You cannot see this patient any more.</p>;
  }
  return (
    <>
      {can(user, 'fileReports') ? (
        <div>
          <NativeButton onClick={() => askForReport({ patientId: patient.id })}>
            {`Report issue about ${patientName(patient)}`}
          </NativeButton>
        </div>
      ) : null}
      <AsyncView
        answer={response}
        isEmpty={({ total }) => total === 0}
        skeleton={<ListSkeleton label="Issue reports are loading" rows={3} />}
        empty={() => <p className={styles.quiet}>No issue reports about this patient.</p>}
        timeZone={user.site.timeZone}
      >
        {({ items, total }) => (
          <>
            <ul className={styles.list} aria-label="Issue reports about this patient">
              {items.map((report) => (
                <li key={report.id} className={styles.card}>
                  <button type="button" className={styles.open} onClick={() => setOpened(report.id)}>
                    <span className="visually-hidden">Open report: </span>
                    {report.isUnread ? <strong>News: </strong> : null}
                    {reportTitle(report)}
                  </button>
                  <span className={styles.line}>
                    {report.severity}, {reportKinds[report.kind]}, {reportStatuses[report.status]},{' '}
                    <Age since={Date.parse(report.reportedAt)} now={now} timeZone={user.site.timeZone} /> ago
                  </span>
                </li>
              ))}
            </ul>
            {total > pageSize ? <Pages current={page} pageSize={pageSize} total={total} onPage={setPage} /> : null}
          </>
        )}
      </AsyncView>
      {opened === null ? null : (
        <ReportDetailDrawer key={opened} id={opened} user={user} now={initialNow} onClose={() => setOpened(null)} />
      )}
    </>
  );
}
