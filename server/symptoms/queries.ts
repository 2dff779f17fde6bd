import type { Kysely, Selectable } from 'kysely';
import type { EvaluatedReport } from '../../lib/alerts/evaluateSymptoms';
import { emergencyAdvice } from '../../lib/symptoms/emergencyAdvice';
import { redFlagsOf } from '../../lib/symptoms/redFlagsOf';
import { symptomReport, type SymptomReport } from '../../lib/symptoms/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { toInstant } from '../../lib/time/schema';
import type { Database, SymptomReportsTable } from '../db/schema';

/** A report with the name of the user who recorded it. */
export type StoredReport = Selectable<SymptomReportsTable> & { fname: string; lname: string };

function reportsOf(db: Kysely<Database>, patientId: number) {
  return db
    .selectFrom('symptom_reports')
    .innerJoin('users', 'users.id', 'symptom_reports.recorded_by')
    .where('symptom_reports.patient_id', '=', patientId);
}

/** One report of a patient, which has to exist. */
export async function readReport(
  db: Kysely<Database>,
  patientId: number,
  which: { id: number } | { reportedAt: EpochMs; recordedBy: number },
): Promise<StoredReport> {
  const reports = reportsOf(db, patientId);
  const one =
    'id' in which
      ? reports.where('symptom_reports.id', '=', which.id)
      : reports.where('reported_at', '=', which.reportedAt).where('recorded_by', '=', which.recordedBy);
  return await one.selectAll('symptom_reports').select(['users.fname', 'users.lname']).executeTakeFirstOrThrow();
}

/**
 * A patient's reports, the newest first. `from` is in the window and `to` is not, both epoch milliseconds; null: no
 * end.
 */
export async function listReports(
  db: Kysely<Database>,
  patientId: number,
  { from, to, page, pageSize }: { from: number | null; to: number | null; page: number; pageSize: number },
): Promise<{ rows: StoredReport[]; total: number }> {
  let reports = reportsOf(db, patientId);
  if (from !== null) {
    reports = reports.where('reported_at', '>=', from);
  }
  if (to !== null) {
    reports = reports.where('reported_at', '<', to);
  }
  const { total } = await reports
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await reports
    .selectAll('symptom_reports')
    .select(['users.fname', 'users.lname'])
    .orderBy('reported_at', 'desc')
    .orderBy('symptom_reports.id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  return { rows, total: Number(total) };
}

/** Returns the patients with a report since `from`, each with the time of the last one. */
export async function lastReports(
  db: Kysely<Database>,
  from: number,
): Promise<{ patient_id: number; recordedAt: EpochMs }[]> {
  // Grouped here: to group by patient, both engines would read all reports.
  const rows = await db
    .selectFrom('symptom_reports')
    .select(['patient_id', 'recorded_at'])
    .where('recorded_at', '>=', from)
    .orderBy('recorded_at')
    .execute();
  const newest = new Map(rows.map(({ patient_id, recorded_at }) => [patient_id, recorded_at]));
  return [...newest].map(([patient_id, recordedAt]) => ({ patient_id, recordedAt }));
}

/** The most reports that the rules evaluate at once. */
const mostEvaluated = 100;

/**
 * Returns a patient's reports that were recorded since `from` (epoch milliseconds), and in any case the newest one and
 * the one before it, as the rules evaluate them.
 */
export async function readEvaluatedReports(
  db: Kysely<Database>,
  patientId: number,
  from: EpochMs,
): Promise<EvaluatedReport[]> {
  const { rows: newest } = await listReports(db, patientId, { from: null, to: null, page: 1, pageSize: 2 });
  const recorded = await reportsOf(db, patientId)
    .selectAll('symptom_reports')
    .select(['users.fname', 'users.lname'])
    .where('recorded_at', '>=', from)
    .orderBy('recorded_at', 'desc')
    .limit(mostEvaluated)
    .execute();
  const rows = new Map([...newest, ...recorded].map((row) => [row.id, row]));
  return [...rows.values()].map((row) => ({
    ...presentReport(row, null),
    reportedAt: row.reported_at,
    recordedAt: row.recorded_at,
  }));
}

/** Returns a report in the form of API responses. The fields are listed explicitly: this leaves the server. */
export function presentReport(row: StoredReport, emergencyNumber: string | null): SymptomReport {
  const { answers } = symptomReport
    .pick({ answers: true })
    .parse({ answers: Object.fromEntries(JSON.parse(row.answers) as []) });
  const { redFlags: ticked } = symptomReport
    .pick({ redFlags: true })
    .parse({ redFlags: JSON.parse(row.red_flags) as unknown });
  const redFlags = redFlagsOf(answers, ticked);
  return {
    id: row.id,
    patientId: row.patient_id,
    reportedAt: toInstant(row.reported_at),
    recordedAt: toInstant(row.recorded_at),
    recordedBy: { id: row.recorded_by, name: `${row.fname} ${row.lname}` },
    answers,
    breathlessness: row.breathlessness,
    mmrc: row.mmrc,
    redFlags,
    sinceYesterday: row.since_yesterday,
    advice: redFlags.length === 0 ? null : emergencyAdvice(emergencyNumber),
  };
}
