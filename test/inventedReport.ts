import type { IssueReport, ReportEntry } from '../lib/reports/schema';
import { secondsAgo } from './inventedWard';

const reporter = { id: 9, name: 'Noor Demo' };

/** A line of a report's history. */
export function inventedEntry(id: number, change: Partial<ReportEntry> = {}): ReportEntry {
  return {
    id,
    at: secondsAgo(600 - id),
    by: reporter,
    isByReporter: true,
    is: 'filed',
    from: null,
    to: null,
    text: null,
    ...change,
  };
}

/** A new report of a device by a colleague, seen by someone who does not manage it. */
export function inventedReport(id: number, change: Partial<IssueReport> = {}): IssueReport {
  return {
    id,
    version: 1,
    sight: 'whole',
    kind: 'device',
    severity: 'S3',
    harm: { physical: null, psychological: null },
    title: `Report ${id}`,
    status: 'new',
    reachedAt: {
      new: secondsAgo(600),
      triaged: null,
      investigating: null,
      actioned: null,
      closed: null,
      reopened: null,
    },
    reportedAt: secondsAgo(600),
    unit: { id: 3, name: 'East' },
    bed: null,
    patient: null,
    reporter: { ...reporter, type: 'nurse' },
    isReporterHidden: false,
    isOwn: false,
    assignee: null,
    alarm: 'none',
    alertId: null,
    isUnread: false,
    whatHappened: 'The cable is loose',
    expected: '',
    immediateAction: '',
    occurredAt: null,
    discoveredAt: null,
    alertIds: [],
    device: null,
    externalReference: null,
    context: null,
    entries: [inventedEntry(1)],
    mayChange: [],
    nextStatuses: [],
    mayComment: false,
    assignees: [],
    ...change,
  };
}
