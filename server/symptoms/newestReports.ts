import { sql, type Kysely } from 'kysely';
import type { GradedReport } from '../../lib/symptoms/gradedReport';
import type { EpochMs } from '../../lib/time/epochMs';
import type { AlertFaults } from '../alerts/alertFaults';
import { inParts } from '../db/inParts';
import type { Database } from '../db/schema';
import type { Server } from '../server';
import { readGradedReport } from './gradedReports';
import type { StoredReport } from './queries';
import { saysSomething, whereItSaysSomething } from './saysSomething';
import type { BoardReport } from './symptomBoard';

/** Longer than a day of any site, in milliseconds. */
const dayAndNightMs = 36 * 3_600_000;

/** How many of each patient's newest reports lists compare. */
const mostCompared = 4;

const columns = [
  'id',
  'patient_id',
  'reported_at',
  'answers',
  'red_flags',
  'since_yesterday',
  'breathlessness',
] as const;

/**
 * Reads the four newest reports of each active patient, or of one patient, with which lists compare, and all of the
 * last day and night, a score of breathlessness alone among these; none that was entered in error. Each is found by an
 * index: to number all rows, or to join them with their patients, both engines would read years of reports. One that
 * cannot be read is among them as such, and counted: it never stops a start (clinical.md section 0, P4).
 */
export async function readNewestReports(
  db: Kysely<Database>,
  now: EpochMs,
  patientId: number | null,
  faults: AlertFaults,
): Promise<Map<number, BoardReport[]>> {
  const reports = db
    .selectFrom('symptom_reports')
    .select(columns)
    .where('in_error_at', 'is', null)
    .where((is) => is.or([whereItSaysSomething('symptom_reports'), is('breathlessness', 'is not', null)]));
  const newest = await readNewestIds(db, patientId);
  const recent = await (patientId === null ? reports : reports.where('patient_id', '=', patientId))
    // None is reported ahead of its arrival, so that the index by arrival finds them.
    .where('recorded_at', '>=', now - dayAndNightMs)
    .where('reported_at', '>=', now - dayAndNightMs)
    .execute();
  const older = await Promise.all(
    inParts([...newest.values()].flat()).map((ids) => reports.where('id', 'in', ids).execute()),
  );
  const byId = new Map([...recent, ...older.flat()].map((row) => [row.id, row]));
  const byPatient = new Map<number, BoardReport[]>();
  for (const { patient_id, ...row } of byId.values()) {
    if (newest.has(patient_id)) {
      const report = readGradedReport(row, patient_id, faults) ?? unreadable(row.reported_at, now);
      byPatient.set(patient_id, [...(byPatient.get(patient_id) ?? []), { ...report, id: row.id, isInError: false }]);
    }
  }
  return byPatient;
}

/** Reads the ids of the newest reports of each active patient, or of one patient; empty: there are none. */
async function readNewestIds(db: Kysely<Database>, patientId: number | null): Promise<Map<number, number[]>> {
  const newestBut = (skipped: number) => sql<number | null>`(
    SELECT n.id FROM symptom_reports n
    WHERE n.patient_id = p.id AND n.in_error_at IS NULL AND ${whereItSaysSomething('n')}
    ORDER BY n.reported_at DESC, n.id DESC LIMIT 1 OFFSET ${skipped})`;
  const places = Array.from({ length: mostCompared }, (_, skipped) => newestBut(skipped).as(`place_${skipped}`));
  const patients = db.selectFrom('patients as p').select(['p.id', ...places]);
  const rows = await (
    patientId === null ? patients.where('p.state', '=', 'active') : patients.where('p.id', '=', patientId)
  ).execute();
  return new Map(
    rows.map(({ id, ...newest }) => [id, Object.values(newest).filter((found): found is number => found !== null)]),
  );
}

/** Returns what is known of a damaged report. Its time may be damaged as well; none is ahead of now. */
function unreadable(reportedAt: EpochMs, now: EpochMs): GradedReport {
  return {
    reportedAt: Math.max(0, Math.min(reportedAt, now)),
    answers: {},
    redFlags: [],
    sinceYesterday: null,
    isUnreadable: true,
  };
}

/** Shows a report in lists that was stored or marked as entered in error; the change has been committed. */
export async function showReport(
  { store: { db }, liveState, faults, now }: Pick<Server, 'store' | 'liveState' | 'faults' | 'now'>,
  row: StoredReport,
): Promise<void> {
  const patient = { id: row.patient_id, site_id: row.site_id };
  const isInError = row.in_error_at !== null;
  if (!isInError && !saysSomething(row) && row.breathlessness === null) {
    return;
  }
  // A damaged one that was entered in error may have been read into memory before.
  const report = readGradedReport(row, patient.id, faults) ?? unreadable(row.reported_at, now());
  // Before anything is awaited: nothing that reads from memory may miss a red flag.
  liveState.symptoms.take(patient, [{ ...report, id: row.id, isInError }]);
  if (isInError) {
    // Older ones, which are no longer in memory, may be the newest now.
    const newest = await readNewestReports(db, now(), patient.id, faults);
    liveState.symptoms.take(patient, newest.get(patient.id) ?? []);
  }
}
