import { Drawer, Button } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { keepComment, keptComment } from '../../hooks/keptTexts';
import { useCall } from '../../hooks/useCall';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import { useServerLost } from '../../hooks/useServerLost';
import { isGone } from '../../lib/api/failureCause';
import { newUuid } from '../../lib/browser/newUuid';
import { toPlainText } from '../../lib/plainText';
import { entryWords, unitsAt } from '../../lib/reports/entryWords';
import { type IssueReport, longestReportText, type ReportEntry } from '../../lib/reports/schema';
import type { User } from '../../lib/session/schema';
import { formatDate, formatTimeWithSeconds } from '../../lib/time/formatTime';
import { AsyncView } from '../ui/AsyncView';
import { FormFailure } from '../ui/FormFailure';
import { ListSkeleton } from '../ui/ListSkeleton';
import { TextArea } from '../ui/TextArea';
import { notDone } from '../ui/notDone';
import { useAction } from '../ui/useAction';
import { useSubmit } from '../ui/useSubmit';
import { ContextLines } from './ContextLines';
import { ReportFacts } from './ReportFacts';
import { ReportManagement } from './ReportManagement';
import { reportTitle } from './reportRow';
import styles from './reports.module.css';

interface ReportHistoryProps {
  entries: readonly ReportEntry[];
  /** The report's present unit; null: none. */
  unit: IssueReport['unit'];
  now: number;
  timeZone: string;
}

/** What happened to a report, the oldest first. */
function ReportHistory({ entries, unit, now, timeZone }: ReportHistoryProps) {
  const today = formatDate(now, timeZone);
  const units = unitsAt(entries, unit);
  return (
    <section aria-labelledby="report-history">
      <h2 id="report-history">History</h2>
      <ol className={styles.history}>
        {entries.map((entry, place) => {
          const at = Date.parse(entry.at);
          const day = formatDate(at, timeZone);
          return (
            <li key={entry.id}>
              <span className={styles.line}>
                {day === today ? '' : `${day}, `}
                {formatTimeWithSeconds(at, timeZone)}, {whoWords(entry)}
              </span>
              {entryWords(entry, units[place] ?? null)}
              {entry.text === null ? null : <p className={styles.text}>{entry.text}</p>}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function whoWords({ by, isByReporter }: ReportEntry): string {
  if (by === null) {
    return isByReporter ? 'the reporter' : 'by itself';
  }
  return isByReporter ? `${by.name} (reporter)` : by.name;
}

/** Adds to a report. What is typed stays until it is sent, also when the report is closed and opened again. */
function ReportComment({ reportId, userId }: { reportId: number; userId: number }) {
  const [typed, setTyped] = useState(() => keptComment(userId, reportId) ?? { clientId: newUuid(), text: '' });
  const { failure, isWaiting, carryOut } = useAction();
  const commentReport = useCall('commentReport');
  const isLost = useServerLost() !== null;
  const isBlank = typed.text.trim() === '';
  const change = (text: string): void => {
    const next = { ...typed, text: toPlainText(text) };
    setTyped(next);
    keepComment(userId, reportId, next.text.trim() === '' ? null : next);
  };
  const onSubmit = useSubmit(async () => {
    if (isBlank || isLost) {
      return;
    }
    const body = { ...typed, authorId: userId };
    if (await carryOut(() => commentReport({ params: { id: reportId }, body }))) {
      keepComment(userId, reportId, null);
      setTyped({ clientId: newUuid(), text: '' });
    }
  });
  return (
    <form className={styles.form} noValidate onSubmit={onSubmit}>
      <TextArea
        label="Comment"
        rows={3}
        maxLength={longestReportText}
        // One that the server may have is not changed: the server would keep what it has.
        isLocked={isWaiting || failure?.isOutcomeUnknown === true}
        error={failure?.fields.text}
        value={typed.text}
        onChange={change}
      />
      <p className={styles.quiet}>{isBlank ? '' : 'Not sent yet'}</p>
      <FormFailure>
        {failure === null
          ? null
          : failure.isOutcomeUnknown
            ? `It is not known whether this was sent. ${failure.message} Send it again: it is added once.`
            : notDone('sent', failure)}
      </FormFailure>
      <div>
        <Button htmlType="submit" disabled={isBlank || isLost} loading={isWaiting && { delay: 300 }}>
          Add comment
        </Button>
      </div>
    </form>
  );
}

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
