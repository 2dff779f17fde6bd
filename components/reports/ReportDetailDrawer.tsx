import { Drawer } from 'antd';
import { useEffect, useRef } from 'react';
import { useCall } from '../../hooks/useCall';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import { isGone } from '../../lib/api/failureCause';
import type { IssueReport } from '../../lib/reports/schema';
import type { User } from '../../lib/session/schema';
import { AsyncView } from '../ui/AsyncView';
import { ListSkeleton } from '../ui/ListSkeleton';
import { ContextLines } from './ContextLines';
import { ReportComment } from './ReportComment';
import { ReportFacts } from './ReportFacts';
import { ReportHistory } from './ReportHistory';
import { ReportManagement } from './ReportManagement';
import { reportTitle } from './reportRow';
import styles from './reports.module.css';

interface ReportDetailDrawerProps {
  id: number;
  user: User;
  /** The server's time of the page, epoch milliseconds. */
  now: number;
  onClose: () => void;
}

/** One report with all that its reader may know, what became of it, and what they can do with it. */
export function ReportDetailDrawer({ id, user, now, onClose }: ReportDetailDrawerProps) {
  const response = useRead('readReport', { params: { id } }, { everyMs: 10_000 });
  const { data, error, refresh } = response;
  useMarkedAsRead(data);
  const isMissing = error !== undefined && isGone(error);
  return (
    <Drawer
      title={data === undefined ? `Report ${id}` : `Report ${id}: ${reportTitle(data)}`}
      size={640}
      open
      onClose={onClose}
    >
      {isMissing ? (
        <p role="status">There is no such report, or you cannot see it any more.</p>
      ) : (
        <AsyncView
          answer={{ ...response, refresh: () => void refresh() }}
          isEmpty={() => false}
          skeleton={<ListSkeleton label="The report is loading" rows={8} />}
          empty={() => null}
          timeZone={user.site.timeZone}
        >
          {(report) => <Detail report={report} user={user} now={now} />}
        </AsyncView>
      )}
    </Drawer>
  );
}

function Detail({ report, user, now: initialNow }: { report: IssueReport; user: User; now: number }) {
  const now = useNow(initialNow);
  const { timeZone } = user.site;
  return (
    <div className={styles.detail}>
      <ReportFacts report={report} now={now} timeZone={timeZone} />
      {report.mayChange.length === 0 ? null : <ReportManagement report={report} user={user} />}
      {report.mayComment ? <ReportComment reportId={report.id} userId={user.id} /> : null}
      {report.context === null ? null : (
        <ContextLines title="The page when it was reported" context={report.context} timeZone={timeZone} />
      )}
      {/* It grows with each poll that has news: nothing that can be pressed is below it. */}
      <ReportHistory entries={report.entries} unit={report.unit} now={now} timeZone={timeZone} />
    </div>
  );
}

/** What its reporter has opened is no news any more. A failure is tried again with the next response that says so. */
function useMarkedAsRead(report: IssueReport | undefined): void {
  const markRead = useCall('markReportRead');
  const marked = useRef<number | null>(null);
  useEffect(() => {
    if (report === undefined || !report.isUnread || marked.current === report.version) {
      return;
    }
    const { id, version } = report;
    marked.current = version;
    markRead({ params: { id }, body: { version } }).catch(() => {
      marked.current = null;
    });
  }, [report, markRead]);
}
