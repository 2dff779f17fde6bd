import type { Selectable } from 'kysely';
import type { NewSymptomReport } from '../../lib/symptoms/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { isInFuture } from '../../lib/time/isInFuture';
import { parseInstant } from '../../lib/time/parseInstant';
import { auditDone } from '../audit';
import type { Actor } from '../audit/actor';
import type { SymptomReportsTable } from '../db/checkInTables';
import type { Store } from '../db/open';
import { HttpError, invalid } from '../http/httpError';
import type { Scope } from '../http/scope';
import { holdPatient } from '../patients/holdPatient';
import { patientDischarged, requirePatient } from '../patients/requirePatient';
import type { LiveState } from '../liveState';
import { nextRecordedAt } from './nextRecordedAt';
import { readReport, readReportsOf, type StoredReport } from './queries';

/**
 * Stores what a patient reported and returns it. The same report sent again (after a lost response) is the one that is
 * there, also if it was marked as entered in error or the patient was discharged since. Refuses with 404 a patient out
 * of reach, with 409 `patient_discharged`, with 409 `report_exists` another report by the same person for the same
 * moment, with 422 a moment in the future or more than a day ago. `now` is epoch milliseconds.
 */
export async function addSymptomReport(
  store: Store,
  liveState: LiveState,
  now: EpochMs,
  actor: Actor,
  scope: Scope,
  who: { userId: number; patientId: number },
  report: NewSymptomReport,
): Promise<StoredReport> {
  const patient = requirePatient(liveState, who.patientId, scope);
  const reportedAt = report.reportedAt === undefined ? now : (parseInstant(report.reportedAt) ?? now);
  const row = saidIn(report);
  return await store.db.transaction().execute(async (transaction) => {
    // No other call adds a report between the look-up and the insert, and a discharge at this moment either is known
    // here, or comes after this report.
    const state = await holdPatient(transaction, patient.id);
    const ofMoment = await readReportsOf(transaction, { patientId: patient.id, reportedAt, recordedBy: who.userId });
    // One that a colleague struck out meanwhile is the same report as well: a repeat must not bring it back.
    const same = ofMoment.find((known) => isSame(known, row));
    if (same !== undefined) {
      return same;
    }
    const other = ofMoment.find(({ in_error_at }) => in_error_at === null);
    if (other !== undefined) {
      throw new HttpError(409, 'report_exists', 'You have recorded another report for this moment.', { id: other.id });
    }
    requireRecent(reportedAt, now);
    if (state === 'discharged') {
      throw patientDischarged();
    }
    const recordedAt = await nextRecordedAt(transaction, patient.id, now);
    const added = await transaction
      .insertInto('symptom_reports')
      .values({
        ...row,
        site_id: patient.site_id,
        patient_id: patient.id,
        reported_at: reportedAt,
        recorded_at: recordedAt,
        recorded_by: who.userId,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await auditDone(transaction, now, actor, 'report_symptoms', ['patient', patient.id]);
    return await readReport(transaction, added.id);
  });
}

/** What a patient said may be recorded for so long, as a check-in may be kept on a phone. In milliseconds. */
const recordedLateMs = 24 * 3_600_000;

function requireRecent(reportedAt: EpochMs, now: EpochMs): void {
  if (isInFuture(reportedAt, now)) {
    throw invalid({ reportedAt: 'lies in the future' }, 'The report lies in the future.');
  }
  if (reportedAt < now - recordedLateMs) {
    throw invalid({ reportedAt: 'is older than a day' }, 'The report is older than a day.');
  }
}

/** What a report says, as its row keeps it: sorted, so that the same is the same text. */
export type Said = Pick<
  Selectable<SymptomReportsTable>,
  'answers' | 'breathlessness' | 'mmrc' | 'red_flags' | 'since_yesterday'
>;

/** Returns what the row of a report keeps of what it says. */
export function saidIn(
  report: Pick<NewSymptomReport, 'answers' | 'breathlessness' | 'mmrc' | 'redFlags' | 'sinceYesterday'>,
): Said {
  return {
    answers: sortedPairs(report.answers),
    breathlessness: report.breathlessness,
    mmrc: report.mmrc,
    red_flags: JSON.stringify([...new Set(report.redFlags)].sort()),
    since_yesterday: report.sinceYesterday,
  };
}

/** Returns pairs of name and value as JSON, sorted by name. */
export function sortedPairs(values: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns whether a stored report says the same as a new one. */
export function isSame<Row extends object>(known: Readonly<Row>, row: Readonly<Row>): boolean {
  return (Object.keys(row) as (keyof Row)[]).every((column) => known[column] === row[column]);
}
