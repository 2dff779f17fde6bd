import type { Kysely, Selectable, Updateable } from 'kysely';
import type { AuditAction } from '../../lib/audit/actions';
import type { ReportLine } from '../../lib/reports/changeOf';
import { fieldsToChange, sightOf, type ReportReach } from '../../lib/reports/sightOf';
import type { Sight } from '../../lib/reports/schema';
import type { User } from '../../lib/session/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { auditDone } from '../audit';
import type { Actor } from '../audit/actor';
import type { Store } from '../db/open';
import type { IssueReportsTable } from '../db/reportTables';
import type { Database } from '../db/schema';
import { notFound } from '../http/httpError';
import { inScope, type Scope } from '../http/scope';
import type { LiveState } from '../liveState';
import { holdDocument, requireVersion } from '../notes/documents';

export type ReportRow = Selectable<IssueReportsTable>;

/** The user for whom reports are read, and what they reach. */
export interface ReportReader {
  liveState: LiveState;
  user: User;
  /** Whose notes they may read; null: no one's. */
  notes: Scope | null;
  /** Whose identity they may see; null: no one's. */
  patients: Scope | null;
}

/** The same user, who changes something. `now` is epoch milliseconds. */
export interface ReportWriter extends ReportReader {
  store: Store;
  now: EpochMs;
  actor: Actor;
}

/** What of a row decides who sees the report. */
export type ReportSubject = Pick<ReportRow, 'site_id' | 'kind' | 'author_id' | 'patient_id' | 'unit_id'>;

/** Returns what a reader is to a report: a patient decides before the unit, because patients move. */
export function reachTo(
  { liveState, user, notes }: ReportReader,
  { site_id, kind, author_id, patient_id, unit_id }: ReportSubject,
): ReportReach {
  const place = patient_id === null ? { site_id, unit_id } : liveState.patients.get(patient_id);
  return {
    kind,
    isOwn: author_id === user.id,
    isInReach: notes !== null && place !== undefined && inScope(notes, place),
  };
}

/** Returns how much of a report the reader sees; null: nothing. */
export function sightOfReport(reader: ReportReader, row: ReportSubject): Sight | null {
  return row.site_id === reader.user.siteId ? sightOf(reader.user, reachTo(reader, row)) : null;
}

/** Returns what the reader can change of a report; nothing: they do not manage it. */
export function fieldsOfReport(reader: ReportReader, row: ReportSubject): ReturnType<typeof fieldsToChange> {
  return row.site_id === reader.user.siteId ? fieldsToChange(reader.user, reachTo(reader, row)) : [];
}

/** Resolves with a report that the reader may see. Rejects with the same 404 for one that is not there. */
export async function findReport(reader: ReportReader, db: Kysely<Database>, id: number): Promise<ReportRow> {
  const row = await db.selectFrom('issue_reports').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined || sightOfReport(reader, row) === null) {
    throw notFound();
  }
  return row;
}

/** As `findReport`, and locks the report until the transaction ends, so that concurrent changes run one by one. */
export async function holdReport(writer: ReportWriter, transaction: Kysely<Database>, id: number): Promise<ReportRow> {
  await holdDocument(transaction, 'issue_reports', id);
  return await findReport(writer, transaction, id);
}

/** Rejects with 409 `report_changed`, which says who was first, if the user saw another version. */
export async function requireReportVersion(
  writer: ReportWriter,
  transaction: Kysely<Database>,
  row: ReportRow,
  seen: number,
): Promise<void> {
  const isHidden = row.is_reporter_hidden === 1 && row.changed_by === row.author_id;
  await requireVersion(writer, transaction, 'report', row, seen, isHidden ? 'The reporter' : undefined);
}

/** A line of the history; `text` and `clientId` are those of a comment. */
export type NewEntry = ReportLine & { text?: string; clientId?: string };

/** Changes columns of a held report, raises its version, adds lines to its history, and resolves with it. */
export async function writeReport(
  { user, now }: ReportWriter,
  transaction: Kysely<Database>,
  row: ReportRow,
  columns: Omit<Updateable<IssueReportsTable>, 'id' | 'version'>,
  entries: readonly NewEntry[],
): Promise<ReportRow> {
  const version = row.version + 1;
  const written = await transaction
    .updateTable('issue_reports')
    .set({
      ...columns,
      version,
      ...(row.author_id === user.id ? {} : { others_version: version }),
      changed_at: now,
      changed_by: user.id,
    })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await addEntries(transaction, written, entries, user.id, now);
  return written;
}

/** Adds lines to the history of a report. */
export async function addEntries(
  transaction: Kysely<Database>,
  { id, version }: Pick<ReportRow, 'id' | 'version'>,
  entries: readonly NewEntry[],
  by: number,
  now: EpochMs,
): Promise<void> {
  if (entries.length > 0) {
    await transaction
      .insertInto('issue_report_entries')
      .values(
        entries.map(({ is, from, to, text = null, clientId = null }) => ({
          report_id: id,
          version,
          is,
          from_value: from,
          to_value: to,
          text,
          author_id: by,
          client_id: clientId,
          added_at: now,
        })),
      )
      .execute();
  }
}

/** Writes the audit row of an action on a report, under its patient if it has one. No text is in it. */
export async function auditReport(
  { now, actor }: ReportWriter,
  transaction: Kysely<Database>,
  action: AuditAction,
  { id, patient_id, version }: ReportRow,
  fields: readonly string[] = [],
): Promise<void> {
  const details = { reportId: id, version, ...(fields.length === 0 ? {} : { fields: [...fields] }) };
  await auditDone(transaction, now, actor, action, patient_id === null ? null : ['patient', patient_id], details);
}
