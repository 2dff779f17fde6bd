import { sql } from 'kysely';
import type { CsvCell } from '../../lib/csvLine';
import type { ListedReport, UnreadableReport } from '../../lib/symptoms/schema';
import { symptoms, redFlags, type Symptom } from '../../lib/symptoms/symptoms';
import { presentListed, reportsOf, type StoredReport } from '../symptoms/queries';
import { timeCells, timeColumns, type Exported, type ExportedKind } from './exportedKind';

const reportsAtOnce = 200;
const names = Object.keys(symptoms) as Symptom[];

/**
 * The reports of symptoms, a column each: absent, mild, moderate, severe, unanswered (it was asked) or "not asked". A
 * cell is never empty, because an empty one would look like "absent".
 */
export const exportSymptoms: ExportedKind = {
  columns: [
    'report_id',
    ...timeColumns('reported'),
    ...timeColumns('recorded'),
    'source',
    'recorded_by',
    'status',
    'in_error_by',
    'in_error_utc',
    'in_error_reason',
    'red_flags',
    'since_yesterday',
    'breathlessness_0_to_10',
    'mmrc_0_to_4',
    ...names,
  ],
  estimate: async (exported) => {
    const { server, patient, from, to } = exported;
    const { reports } = await server.store.db
      .selectFrom('symptom_reports')
      .select((select) => select.fn.countAll<number>().as('reports'))
      .where('patient_id', '=', patient.id)
      .where('reported_at', '>=', from)
      .where('reported_at', '<', to)
      .executeTakeFirstOrThrow();
    return Number(reports);
  },
  async *rows(exported) {
    let behind: StoredReport | undefined;
    do {
      const rows: StoredReport[] = await readReports(exported, behind);
      yield rows.map((row) => lineOf(exported, row));
      behind = rows.length < reportsAtOnce ? undefined : rows.at(-1);
    } while (behind !== undefined);
  },
};

async function readReports(
  { server: { store }, patient, from, to }: Exported,
  behind: StoredReport | undefined,
): Promise<StoredReport[]> {
  const reports = reportsOf(store.db)
    .where('symptom_reports.patient_id', '=', patient.id)
    .where('reported_at', '>=', from)
    .where('reported_at', '<', to);
  return await (
    behind === undefined
      ? reports
      : reports.where(sql<boolean>`(reported_at, symptom_reports.id) > (${behind.reported_at}, ${behind.id})`)
  )
    .orderBy('reported_at')
    .orderBy('symptom_reports.id')
    .limit(reportsAtOnce)
    .execute();
}

function lineOf(exported: Exported, row: StoredReport): CsvCell[] {
  const report = presentListed(row, null, exported.server.faults);
  if ('isUnreadable' in report) {
    return unreadableLineOf(exported, row, report);
  }
  return [
    report.id,
    ...timeCells(exported, row.reported_at),
    ...timeCells(exported, row.recorded_at),
    report.source,
    report.recordedBy?.name ?? null,
    report.inError === null ? 'recorded' : 'entered in error',
    ...inErrorCells(report),
    report.redFlags.map((flag) => redFlags[flag]).join('; ') || 'none',
    report.sinceYesterday ?? 'not asked',
    report.breathlessness ?? 'not asked',
    report.mmrc ?? 'not asked',
    ...names.map((name) => report.answers[name] ?? 'not asked'),
  ];
}

const unreadable = 'cannot be read';

/** What a damaged row says of symptoms is unknown: each such cell says so, as an empty one would look like "absent". */
function unreadableLineOf(exported: Exported, row: StoredReport, report: UnreadableReport): CsvCell[] {
  return [
    report.id,
    ...timeCells(exported, report.reportedAt === null ? null : row.reported_at),
    ...timeCells(exported, report.recordedAt === null ? null : row.recorded_at),
    unreadable,
    row.recorderName,
    report.inError === null ? unreadable : `${unreadable}, entered in error`,
    ...inErrorCells(report),
    ...['red_flags', 'since_yesterday', 'breathlessness', 'mmrc', ...names].map(() => unreadable),
  ];
}

const inErrorCells = ({ inError }: ListedReport): CsvCell[] => [
  inError?.by.name ?? null,
  inError === null ? null : (inError.at ?? unreadable),
  inError?.reason ?? null,
];
