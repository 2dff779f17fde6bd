import { sql, type Expression, type ExpressionBuilder, type Kysely, type SqlBool } from 'kysely';
import type { ReportNews, ReportsQuery } from '../../lib/reports/schema';
import { toInstant } from '../../lib/time/schema';
import type { Database } from '../db/schema';
import type { ReportReader, ReportRow } from './findReport';

type Reports = ExpressionBuilder<Database, 'issue_reports'>;

const everyOne = sql<SqlBool>`1 = 1`;

/** Selects the reports that the reader sees whole, as `sightOf` decides it. */
function wholeFor({ user, notes }: ReportReader, is: Reports): Expression<SqlBool> {
  const own = is('author_id', '=', user.id);
  if (notes === null) {
    return own;
  }
  const { unitIds } = notes;
  if (unitIds === null) {
    return everyOne;
  }
  const inUnits = is
    .selectFrom('patients')
    .select('patients.id')
    .where('patients.site_id', '=', notes.siteId)
    .where((patient) => patient.or([patient('unit_id', 'is', null), patient('unit_id', 'in', unitIds)]));
  const unit = is.or([is('unit_id', 'is', null), is('unit_id', 'in', unitIds)]);
  return is.or([own, is('patient_id', 'in', inUnits), is.and([is('patient_id', 'is', null), unit])]);
}

/** Selects those of the reader's trade: they manage them, and may see less of them. */
function ofTrade({ user }: ReportReader, is: Reports): Expression<SqlBool>[] {
  return [
    ...(user.type === 'technician' ? [is('kind', '=', 'device')] : []),
    ...(user.isAdmin ? [is('kind', '=', 'software')] : []),
  ];
}

/** Returns the reports of the reader's site that they may see. By a patient no one finds what they see less of. */
function visibleTo(db: Kysely<Database>, reader: ReportReader, { isOfPatient = false } = {}) {
  return db
    .selectFrom('issue_reports')
    .where('issue_reports.site_id', '=', reader.user.siteId)
    .where((is) => is.or([wholeFor(reader, is), ...(isOfPatient ? [] : ofTrade(reader, is))]));
}

/** Resolves with one page of the reports that the reader may see, newest first, and with the number of all. */
export async function readReportPage(
  db: Kysely<Database>,
  reader: ReportReader,
  { status, kind, severity, unitId, assigneeId, patientId, mine, page, pageSize }: ReportsQuery,
): Promise<{ rows: ListedRow[]; total: number }> {
  const found = visibleTo(db, reader, { isOfPatient: patientId !== undefined })
    .where((is) => is.and({ kind, severity, unit_id: unitId, patient_id: patientId }))
    .where((is) =>
      is.and({
        assignee_id: assigneeId === 'none' ? null : assigneeId,
        author_id: mine ? reader.user.id : undefined,
        status: status === 'open' ? undefined : status,
      }),
    )
    .$if(status === 'open', (reports) => reports.where('status', '!=', 'closed'));
  const { total } = await found.select((select) => select.fn.countAll().as('total')).executeTakeFirstOrThrow();
  // From the index alone; the rows, with their texts, are read for one page.
  const places = await found
    .select('issue_reports.id')
    .orderBy('reported_at', 'desc')
    .orderBy('issue_reports.id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const ids = places.map(({ id }) => id);
  const rows =
    ids.length === 0 ? [] : await db.selectFrom('issue_reports').select(listedColumns).where('id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), total: Number(total) };
}

/** What a list shows of a report: its texts and the state of its page are not read. */
const listedColumns = [
  'id',
  'site_id',
  'reported_at',
  'status',
  'kind',
  'severity',
  'unit_id',
  'patient_id',
  'assignee_id',
  'author_id',
  'author_type',
  'is_reporter_hidden',
  'harm_physical',
  'harm_psychological',
  'bed',
  'alarm_at',
  'alarm_ended_at',
  'title',
  'version',
  'others_version',
  'seen_version',
] as const;
export type ListedRow = Pick<ReportRow, (typeof listedColumns)[number]>;

/** How many of the reader's own reports `/` names at most. */
const mostNews = 50;

/** Resolves with what `/` says about reports: those of the reader that others have changed, and what waits. */
export async function readReportNews(
  db: Kysely<Database>,
  reader: ReportReader,
): Promise<ReportNews & { patientIds: number[] }> {
  const { user } = reader;
  const rows = await db
    .selectFrom('issue_reports')
    .select(['id', 'kind', 'title', 'status', 'changed_at', 'seen_version', 'patient_id'])
    .where('author_id', '=', user.id)
    .whereRef('others_version', '>', 'seen_version')
    .orderBy('changed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostNews)
    .execute();
  const ids = rows.map(({ id }) => id);
  const entries =
    ids.length === 0
      ? []
      : await db
          .selectFrom('issue_report_entries')
          .select(['report_id', 'version'])
          .where('report_id', 'in', ids)
          .where('author_id', '!=', user.id)
          .execute();
  // A ward lead manages all that they see.
  const managed = visibleTo(db, reader).where((is) =>
    is.or([...(user.type === 'ward_lead' ? [everyOne] : []), ...ofTrade(reader, is)]),
  );
  const countOf = async (query: typeof managed): Promise<number> =>
    Number((await query.select((select) => select.fn.countAll().as('count')).executeTakeFirstOrThrow()).count);
  const toTriage = await countOf(managed.where('status', '=', 'new'));
  const assigned = await countOf(
    visibleTo(db, reader).where('assignee_id', '=', user.id).where('status', '!=', 'closed'),
  );
  return {
    items: rows.map(({ id, kind, title, status, changed_at, seen_version }) => ({
      id,
      kind,
      title,
      status,
      changedAt: toInstant(changed_at),
      changes: entries.filter(({ report_id, version }) => report_id === id && version > seen_version).length,
    })),
    toTriage,
    assigned,
    patientIds: rows.flatMap(({ patient_id }) => patient_id ?? []),
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
