import type { Generated } from 'kysely';
import type { Harm } from '../../lib/reports/harms';
import type { ReportKind } from '../../lib/reports/reportKinds';
import type { ReportStatus } from '../../lib/reports/reportStatuses';
import type { ReportEntry } from '../../lib/reports/schema';
import type { ServiceSeverity } from '../../lib/reports/serviceSeverities';
import type { UserType } from '../../lib/session/userTypes';

/** The tables of issue reports. Instants are epoch milliseconds, flags 0 or 1. */
export interface ReportTables {
  issue_reports: IssueReportsTable;
  issue_report_entries: IssueReportEntriesTable;
}

export interface IssueReportsTable {
  id: Generated<number>;
  site_id: number;
  /** When the server got it. */
  reported_at: number;
  status: ReportStatus;
  kind: ReportKind;
  severity: ServiceSeverity;
  unit_id: number | null;
  patient_id: number | null;
  assignee_id: number | null;
  /** The reporter. */
  author_id: number;
  /** The reporter's type when they filed it. */
  author_type: UserType;
  /** Made by the page: unique for the author, so that nothing is filed twice. */
  client_id: string;
  is_reporter_hidden: number;
  harm_physical: Harm | null;
  harm_psychological: Harm | null;
  bed: string | null;
  device_id: number | null;
  is_quarantined: number | null;
  occurred_at: number | null;
  discovered_at: number | null;
  external_reference: string | null;
  /** Since when it alarms as S1; null: it never did. */
  alarm_at: number | null;
  /** When that was over. */
  alarm_ended_at: number | null;
  title: string;
  what_happened: string;
  expected: string;
  immediate_action: string;
  /** JSON: ids of alerts. */
  alert_ids: string;
  /** JSON: what was stated of the equipment; null: nothing. */
  device: string | null;
  /** JSON: the state of the page from which it was filed; null: it was not sent. */
  context: string | null;
  /** Goes up with each change and each comment. */
  version: Generated<number>;
  /** The last version that another user than the reporter has made; 0: none. */
  others_version: Generated<number>;
  /** The version that the reporter has seen. */
  seen_version: Generated<number>;
  changed_at: number;
  changed_by: number;
}

/** What happened to a report. Rows are only added. */
export interface IssueReportEntriesTable {
  id: Generated<number>;
  report_id: number;
  /** The version of the report that it made. */
  version: number;
  is: ReportEntry['is'];
  from_value: string | null;
  to_value: string | null;
  /** That of a comment. */
  text: string | null;
  author_id: number;
  /** Of a comment: unique for its author. */
  client_id: string | null;
  added_at: number;
}
