import { sql, type Kysely, type Selectable } from 'kysely';
import type { EvaluatedReport } from '../../lib/alerts/evaluateSymptoms';
import { emergencyAdvice } from '../../lib/symptoms/emergencyAdvice';
import { redFlagsOf } from '../../lib/symptoms/redFlagsOf';
import { symptomReport, type ListedReport, type SymptomReport, type UnreadableReport } from '../../lib/symptoms/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { isInstant } from '../../lib/time/isInstant';
import { toInstant } from '../../lib/time/schema';
import type { AlertFaults } from '../alerts/alertFaults';
import type { SymptomReportsTable } from '../db/checkInTables';
import type { Database } from '../db/schema';
import { gradedReportOf } from './gradedReports';
import { whereItMayHaveRedFlags, whereItSaysSomething } from './saysSomething';

/** A report with the names of the users who recorded it and who marked it as entered in error. */
export type StoredReport = Selectable<SymptomReportsTable> & {
  recorderName: string | null;
  strikerName: string | null;
};

/** Returns the query of all reports, with the names of their users. */
export function reportsOf(db: Kysely<Database>) {
  return db
    .selectFrom('symptom_reports')
    .leftJoin('users as recorder', 'recorder.id', 'symptom_reports.recorded_by')
    .leftJoin('users as striker', 'striker.id', 'symptom_reports.in_error_by')
    .selectAll('symptom_reports')
    .select([nameOf('recorder').as('recorderName'), nameOf('striker').as('strikerName')]);
}

const nameOf = (table: 'recorder' | 'striker') =>
  sql<string | null>`${sql.ref(`${table}.fname`)} || ' ' || ${sql.ref(`${table}.lname`)}`;

/** Returns one report, which has to exist. */
export async function readReport(db: Kysely<Database>, id: number): Promise<StoredReport> {
  return await reportsOf(db).where('symptom_reports.id', '=', id).executeTakeFirstOrThrow();
}

/**
 * Returns what a user wrote down of a patient for one moment: at most one report that holds, and those that were
 * entered in error. That which holds comes first, then the newest.
 */
export async function readReportsOf(
  db: Kysely<Database>,
  { patientId, reportedAt, recordedBy }: { patientId: number; reportedAt: EpochMs; recordedBy: number },
): Promise<StoredReport[]> {
  const rows = await reportsOf(db)
    .where('symptom_reports.patient_id', '=', patientId)
    .where('reported_at', '=', reportedAt)
    .where('recorded_by', '=', recordedBy)
    .orderBy('symptom_reports.id', 'desc')
    .execute();
  return [...rows.filter((row) => row.in_error_at === null), ...rows.filter((row) => row.in_error_at !== null)];
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
  let reports = db.selectFrom('symptom_reports').where('patient_id', '=', patientId);
  if (from !== null) {
    reports = reports.where('reported_at', '>=', from);
  }
  if (to !== null) {
    reports = reports.where('reported_at', '<', to);
  }
  const { total } = await reports
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const ids = reports
    .select('id')
    .orderBy('reported_at', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize);
  const rows = await reportsOf(db)
    .where('symptom_reports.id', 'in', ids)
    .orderBy('reported_at', 'desc')
    .orderBy('symptom_reports.id', 'desc')
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

/** The most reports without a red flag that the rules evaluate at once, and how many before them are compared with. */
const mostEvaluated = 500;
const mostBefore = 40;

/** What the rules read of a patient's reports. */
export interface EvaluatedReports {
  reports: EvaluatedReport[];
  /** How many cannot be read and were not entered in error: what they say is unknown. */
  unread: number;
}

/**
 * Returns a patient's reports since `from` (epoch milliseconds) and some before, as the rules evaluate them. All that
 * may have a red flag are read, however many others arrived since. One that says nothing of symptoms does not end what
 * an earlier report said. One that cannot be read holds back no other.
 */
export async function readEvaluatedReports(
  db: Kysely<Database>,
  patientId: number,
  from: EpochMs,
): Promise<EvaluatedReports> {
  const told = db
    .selectFrom('symptom_reports')
    .select(['id', 'reported_at', 'recorded_at', 'answers', 'red_flags', 'since_yesterday', 'in_error_at'])
    .where('patient_id', '=', patientId)
    .where(whereItSaysSomething('symptom_reports'));
  const flagged = await told
    .where('recorded_at', '>=', from)
    .where(whereItMayHaveRedFlags('symptom_reports'))
    .execute();
  const newestFirst = told.where('in_error_at', 'is', null).orderBy('reported_at', 'desc').orderBy('id', 'desc');
  const recent = await newestFirst.where('reported_at', '>=', from).limit(mostEvaluated).execute();
  const before = await newestFirst.where('reported_at', '<', from).limit(mostBefore).execute();
  const rows = new Map([...flagged, ...recent, ...before].map((row) => [row.id, row]));
  const reports: EvaluatedReport[] = [];
  let unread = 0;
  for (const row of rows.values()) {
    const isInError = row.in_error_at !== null;
    try {
      reports.push({ ...gradedReportOf(row), recordedAt: row.recorded_at, isInError });
    } catch {
      unread += isInError ? 0 : 1;
    }
  }
  return { reports, unread };
}

/** Returns a report in the form of API responses. Throws if its row is damaged. */
export function presentReport(row: StoredReport, emergencyNumber: string | null): SymptomReport {
  const pairs = (text: string): unknown => Object.fromEntries(JSON.parse(text) as []);
  // The fields are listed explicitly: this leaves the server.
  const report = symptomReport.parse({
    id: row.id,
    patientId: row.patient_id,
    reportedAt: toInstant(row.reported_at),
    recordedAt: toInstant(row.recorded_at),
    source: row.source,
    recordedBy: row.recorded_by === null ? null : { id: row.recorded_by, name: row.recorderName ?? '' },
    answers: pairs(row.answers),
    breathlessness: row.breathlessness,
    mmrc: row.mmrc,
    redFlags: JSON.parse(row.red_flags) as unknown,
    sinceYesterday: row.since_yesterday,
    readings: pairs(row.readings),
    inError: inErrorOf(row),
    advice: null,
  });
  const redFlags = redFlagsOf(report.answers, report.redFlags);
  return { ...report, redFlags, advice: redFlags.length === 0 ? null : emergencyAdvice(emergencyNumber) };
}

/** Returns the same, or what is known of a report whose row is damaged, which `faults` counts. */
export function presentListed(row: StoredReport, emergencyNumber: string | null, faults: AlertFaults): ListedReport {
  try {
    return presentReport(row, emergencyNumber);
  } catch {
    faults.unread('symptoms', { patientId: row.patient_id, deviceId: null }, row.id);
    return {
      id: row.id,
      patientId: row.patient_id,
      reportedAt: readableInstant(row.reported_at),
      recordedAt: readableInstant(row.recorded_at),
      inError: inErrorOf(row),
      isUnreadable: true,
    };
  }
}

function inErrorOf(row: StoredReport): UnreadableReport['inError'] {
  return row.in_error_at === null || row.in_error_by === null
    ? null
    : {
        at: readableInstant(row.in_error_at),
        by: { id: row.in_error_by, name: row.strikerName ?? '' },
        reason: row.in_error_reason ?? '',
      };
}

const readableInstant = (at: EpochMs): string | null => (isInstant(at) ? toInstant(at) : null);
