import type { Kysely } from 'kysely';
import type { ReportNews, ReportsQuery } from '../../lib/reports/schema';
import { toInstant } from '../../lib/time/schema';
import type { Database } from '../db/schema';
import { fieldsOfReport, sightOfReport, type ReportReader, type ReportRow } from './findReport';

/** Which reports are read; what is left out selects all. */
export type ReportFilter = Pick<
  ReportsQuery,
  'status' | 'kind' | 'severity' | 'unitId' | 'assigneeId' | 'patientId'
> & { mine: boolean };

/** The columns of the index, which has every report of a site without its texts. */
const narrow = [
  'id',
  'site_id',
  'status',
  'kind',
  'severity',
  'unit_id',
  'patient_id',
  'assignee_id',
  'author_id',
] as const;
type NarrowReport = Pick<ReportRow, (typeof narrow)[number]>;

/** Resolves with the reports that the reader may see, newest first. */
export async function readNarrow(
  db: Kysely<Database>,
  reader: ReportReader,
  { status, kind, severity, unitId, assigneeId, patientId, mine }: ReportFilter,
): Promise<NarrowReport[]> {
  const rows = await db
    .selectFrom('issue_reports')
    .select(narrow)
    .where('site_id', '=', reader.user.siteId)
    .$if(status !== undefined && status !== 'open', (query) =>
      query.where('status', '=', status === undefined || status === 'open' ? 'new' : status),
    )
    .$if(status === 'open', (query) => query.where('status', '!=', 'closed'))
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'device'))
    .$if(severity !== undefined, (query) => query.where('severity', '=', severity ?? 'S1'))
    .$if(unitId !== undefined, (query) => query.where('unit_id', '=', unitId ?? 0))
    .$if(patientId !== undefined, (query) => query.where('patient_id', '=', patientId ?? 0))
    .$if(assigneeId !== undefined, (query) =>
      assigneeId === 'none' ? query.where('assignee_id', 'is', null) : query.where('assignee_id', '=', assigneeId ?? 0),
    )
    .$if(mine, (query) => query.where('author_id', '=', reader.user.id))
    .orderBy('reported_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.filter((row) => {
    const sight = sightOfReport(reader, row);
    // By their filter no one finds the reports of a patient whom they do not see in them.
    return sight === 'whole' || (sight !== null && patientId === undefined);
  });
}

/** Resolves with whole rows, in the order of the ids. */
export async function readRows(db: Kysely<Database>, ids: readonly number[]): Promise<ReportRow[]> {
  const rows =
    ids.length === 0 ? [] : await db.selectFrom('issue_reports').selectAll().where('id', 'in', ids).execute();
  return ids.flatMap((id) => rows.find((row) => row.id === id) ?? []);
}

/** How many of the reader's own reports `/` names at most. */
const mostNews = 50;

/** Resolves with what `/` says about reports: those of the reader that others have changed, and what waits. */
export async function readReportNews(db: Kysely<Database>, reader: ReportReader): Promise<ReportNews> {
  const { user } = reader;
  const rows = await db
    .selectFrom('issue_reports')
    .select(['id', 'kind', 'title', 'status', 'changed_at', 'seen_version'])
    .where('author_id', '=', user.id)
    .whereRef('others_version', '>', 'seen_version')
    .orderBy('changed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostNews)
    .execute();
  const entries =
    rows.length === 0
      ? []
      : await db
          .selectFrom('issue_report_entries')
          .select(['report_id', 'version'])
          .where(
            'report_id',
            'in',
            rows.map(({ id }) => id),
          )
          .where('author_id', '!=', user.id)
          .execute();
  const fresh = await readNarrow(db, reader, { status: 'new', mine: false });
  const assigned = await readNarrow(db, reader, { status: 'open', assigneeId: user.id, mine: false });
  return {
    items: rows.map(({ id, kind, title, status, changed_at, seen_version }) => ({
      id,
      kind,
      title,
      status,
      changedAt: toInstant(changed_at),
      changes: entries.filter(({ report_id, version }) => report_id === id && version > seen_version).length,
    })),
    toTriage: fresh.filter((row) => fieldsOfReport(reader, row).length > 0).length,
    assigned: assigned.length,
  };
}

/** Stores that the reporter has seen a version of their report. An older one than before changes nothing. */
export async function markReportRead(db: Kysely<Database>, row: ReportRow, version: number): Promise<void> {
  const seen = Math.min(version, row.version);
  await db
    .updateTable('issue_reports')
    .set({ seen_version: seen })
    .where('id', '=', row.id)
    .where('seen_version', '<', seen)
    .execute();
}
