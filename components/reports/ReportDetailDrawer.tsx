import { Drawer, Button } from 'antd';
import Link from 'next/link';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { keptComments } from '../../hooks/keptTexts';
import { useCall } from '../../hooks/useCall';
import { useNow } from '../../hooks/useNow';
import { useRead } from '../../hooks/useRead';
import { useServerLost } from '../../hooks/useServerLost';
import { isGone } from '../../lib/api/failureCause';
import { newUuid } from '../../lib/browser/newUuid';
import { paths } from '../../lib/paths';
import { markTrial } from '../../lib/patients/markTrial';
import { toPlainText } from '../../lib/plainText';
import { entryWords, unitsAt, harmWords, severityWords, whoIsAlerted } from '../../lib/reports/entryWords';
import { deviceParts, type DevicePart } from '../../lib/reports/reportFields';
import { reportKinds } from '../../lib/reports/reportKinds';
import { reportStatuses } from '../../lib/reports/reportStatuses';
import { type IssueReport, longestReportText, type ReportEntry } from '../../lib/reports/schema';
import type { User } from '../../lib/session/schema';
import { userTypeLabels } from '../../lib/session/userTypes';
import { formatDate, formatTimeWithSeconds, formatClock } from '../../lib/time/formatTime';
import { AsyncView } from '../ui/AsyncView';
import { FormFailure } from '../ui/FormFailure';
import { ListSkeleton } from '../ui/ListSkeleton';
import { TextArea } from '../ui/TextArea';
import { notDone } from '../ui/notDone';
import { useAction } from '../ui/useAction';
import { useSubmit } from '../ui/useSubmit';
import { ContextLines } from './ContextLines';
import { ReportManagement } from './ReportManagement';
import { reportTitle, reachedWords } from './reportRow';
import styles from './reports.module.css';

interface ReportFactsProps {
  report: IssueReport;
  now: number;
  timeZone: string;
}

/**
 * What was reported, and how far it has come. What its reader may not see is named as such, and never as nothing. Each
 * line is always there, so that a change by another user moves nothing below.
 */
function ReportFacts({ report, now, timeZone }: ReportFactsProps) {
  const { sight, severity, kind, status, harm, unit, bed, reporter, assignee, alarm, device } = report;
  const withheld = 'Not shown to you';
  const timeOf = (instant: string | null): string =>
    instant === null
      ? sight === 'software'
        ? withheld
        : 'Not stated'
      : formatClock(Date.parse(instant), now, timeZone);
  const times = reachedWords(report);
  return (
    <section aria-label="Report">
      <dl className={styles.facts}>
        <Fact label="Status">
          {reportStatuses[status]}
          {assignee === null ? ', assigned to no one yet' : `, assigned to ${assignee.name}`}
        </Fact>
        <Fact label="Progress">{times.length === 0 ? 'Not triaged yet' : capitalised(times.join(', '))}</Fact>
        <Fact label="Service severity">{severityWords(severity)}</Fact>
        <Fact label="Alert">{alertWords(alarm, unit)}</Fact>
        <Fact label="Kind">{reportKinds[kind]}</Fact>
        <Fact label="Physical harm">{harm === null ? withheld : harmWords(harm.physical)}</Fact>
        <Fact label="Psychological harm">{harm === null ? withheld : harmWords(harm.psychological)}</Fact>
        <Fact label="Patient">
          {sight === 'software' ? withheld : <PatientFact patient={report.patient} sight={sight} />}
        </Fact>
        <Fact label="Place">
          {[unit?.name ?? 'No unit', bed === null ? null : `Bed ${bed}`].filter((part) => part !== null).join(', ')}
        </Fact>
        <Fact label="What happened">{report.whatHappened ?? withheld}</Fact>
        <Fact label="Expected">{report.expected ?? withheld}</Fact>
        <Fact label="Done at once">{report.immediateAction ?? withheld}</Fact>
        <Fact label="Happened at">{timeOf(report.occurredAt)}</Fact>
        <Fact label="Noticed at">{timeOf(report.discoveredAt)}</Fact>
        <Fact label="Reported">
          {formatClock(Date.parse(report.reportedAt), now, timeZone)}, by{' '}
          {reporter === null
            ? 'a colleague whose name is hidden'
            : `${reporter.name}, ${userTypeLabels[reporter.type]}`}
          {report.isReporterHidden && reporter !== null ? ' (name hidden from colleagues)' : null}
        </Fact>
        {sight !== 'whole' ? null : (
          <Fact label="Linked alerts">{report.alertIds.length === 0 ? 'None' : report.alertIds.length}</Fact>
        )}
        {device === null ? null : (
          <Fact label="Device">
            {[
              device.name,
              ...parts.map((part) => (device[part] === null ? null : `${deviceParts[part]} ${device[part]}`)),
              `put aside: ${device.isQuarantined === null ? 'not stated' : device.isQuarantined ? 'yes' : 'no'}`,
            ]
              .filter((part) => part !== null)
              .join(', ')}
          </Fact>
        )}
        <Fact label="External reference">{report.externalReference ?? 'None'}</Fact>
      </dl>
    </section>
  );
}

const parts: DevicePart[] = ['maker', 'model', 'serial', 'udi', 'firmware', 'lot'];

function alertWords(alarm: IssueReport['alarm'], unit: IssueReport['unit']): string {
  switch (alarm) {
    case 'none':
      return 'None';
    case 'opening':
      return `Alerts ${whoIsAlerted(unit)} now`;
    case 'open':
      return `Alerts ${whoIsAlerted(unit)}, until someone triages the report`;
    case 'ended':
      return 'Has ended';
    case 'rules_off':
      return 'Alerted no one: the alert rules of this site are off';
  }
}

const capitalised = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children === '' ? 'Not stated' : children}</dd>
    </div>
  );
}

function PatientFact({ patient, sight }: Pick<IssueReport, 'patient' | 'sight'>) {
  if (patient === null) {
    return 'None';
  }
  const { identity, mrnEnd } = patient;
  if (identity === null) {
    return markTrial(`MRN ending in ${mrnEnd}`, patient);
  }
  const name = markTrial(identity.name, patient);
  return (
    <>
      {sight === 'whole' ? (
        <Link href={paths.patientDetails([identity.id])} prefetch={false}>
          {name}
        </Link>
      ) : (
        name
      )}
      , MRN {identity.mrn}
    </>
  );
}

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
  const [typed, setTyped] = useState(() => keptComments.of(userId, reportId) ?? { clientId: newUuid(), text: '' });
  const { failure, isWaiting, carryOut } = useAction();
  const commentReport = useCall('commentReport');
  const isLost = useServerLost() !== null;
  const isBlank = typed.text.trim() === '';
  const change = (text: string): void => {
    const next = { ...typed, text: toPlainText(text) };
    setTyped(next);
    keptComments.keep(userId, reportId, next.text.trim() === '' ? null : next);
  };
  const onSubmit = useSubmit(async () => {
    if (isBlank || isLost) {
      return;
    }
    const body = { ...typed, authorId: userId };
    if (await carryOut(() => commentReport({ params: { id: reportId }, body }))) {
      keptComments.keep(userId, reportId, null);
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
  const { data, error } = response;
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
          answer={response}
          skeleton={<ListSkeleton label="The report is loading" rows={8} />}
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
