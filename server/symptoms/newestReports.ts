import { sql, type Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';
import type { LiveState } from '../liveState';
import { gradedReportOf, type GradedRow } from './gradedReports';
import type { StoredReport } from './queries';
import { saysSomething, whereItSaysSomething } from './saysSomething';
import type { BoardReport } from './symptomBoard';

/** Longer than a day of any site, in milliseconds. */
const dayAndNightMs = 36 * 3_600_000;

/**
 * Reads the four newest reports of each active patient, or of one patient, with which lists compare, and all of the
 * last day and night; none that was entered in error or says nothing of symptoms. By each patient's index: to number
 * all rows, both engines would read years of reports.
 */
export async function readNewestReports(
  db: Kysely<Database>,
  now: EpochMs,
  patientId: number | null = null,
): Promise<Map<number, BoardReport[]>> {
  const counts = (table: 'r' | 'n') =>
    sql`${sql.ref(`${table}.in_error_at`)} IS NULL AND ${whereItSaysSomething(table)}`;
  const { rows } = await sql<GradedRow & { id: number; patient_id: number }>`
    SELECT r.id, r.patient_id, r.reported_at, r.answers, r.red_flags, r.since_yesterday
    FROM patients p JOIN symptom_reports r ON r.patient_id = p.id AND (
      r.reported_at >= ${now - dayAndNightMs} OR r.reported_at >= COALESCE((
        SELECT n.reported_at FROM symptom_reports n WHERE n.patient_id = p.id AND ${counts('n')}
        ORDER BY n.reported_at DESC LIMIT 1 OFFSET 3), 0))
    WHERE ${counts('r')} AND ${patientId === null ? sql`p.state = 'active'` : sql`p.id = ${patientId}`}`.execute(db);
  const byPatient = new Map<number, BoardReport[]>();
  for (const { patient_id, ...row } of rows) {
    byPatient.set(patient_id, [
      ...(byPatient.get(patient_id) ?? []),
      { ...gradedReportOf(row), id: row.id, isInError: false },
    ]);
  }
  return byPatient;
}

/** Shows a report in lists that was stored or marked as entered in error; the change has been committed. */
export async function showReport(
  { db }: { db: Kysely<Database> },
  liveState: LiveState,
  now: EpochMs,
  row: StoredReport,
): Promise<void> {
  const patient = { id: row.patient_id, site_id: row.site_id };
  const isInError = row.in_error_at !== null;
  if (!saysSomething(row)) {
    return;
  }
  // Before anything is awaited: nothing that reads from memory may miss a red flag.
  liveState.symptoms.take(patient, [{ ...gradedReportOf(row), id: row.id, isInError }]);
  if (isInError) {
    // Older ones, which are no longer in memory, may be the newest now.
    liveState.symptoms.take(patient, (await readNewestReports(db, now, patient.id)).get(patient.id) ?? []);
  }
}
