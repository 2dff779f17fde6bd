import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import type { GradedReport } from '../../lib/symptoms/gradedReport';
import { redFlagsOf } from '../../lib/symptoms/redFlagsOf';
import { redFlag, symptomAnswersBy } from '../../lib/symptoms/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import type { AlertFaults } from '../alerts/alertFaults';
import type { SymptomReportsTable } from '../db/checkInTables';
import type { Database } from '../db/schema';
import { whereItSaysSomething } from './saysSomething';

/** What of a stored report says how severe something was. */
export type GradedRow = Pick<
  Selectable<SymptomReportsTable>,
  'reported_at' | 'answers' | 'red_flags' | 'since_yesterday'
> & { breathlessness?: number | null };

const pairs = z.array(z.tuple([z.string(), z.string()]));
const flags = z.array(redFlag);

/** Returns a stored report as strips, lists and counts take it. */
export function gradedReportOf(row: GradedRow): GradedReport {
  const answers = symptomAnswersBy.parse(Object.fromEntries(pairs.parse(JSON.parse(row.answers))));
  return {
    reportedAt: row.reported_at,
    answers,
    redFlags: redFlagsOf(answers, flags.parse(JSON.parse(row.red_flags))),
    sinceYesterday: row.since_yesterday,
    breathlessness: row.breathlessness ?? null,
  };
}

/** Returns the same, or null if it cannot be read, which `faults` counts. */
export function readGradedReport(row: GradedRow, patientId: number, faults: AlertFaults): GradedReport | null {
  try {
    return gradedReportOf(row);
  } catch {
    faults.unread('symptoms', { patientId, deviceId: null });
    return null;
  }
}

/** The most reports of one window, and how many before it are compared with. */
const mostReports = 4_000;
const mostBefore = 5;

/**
 * Reads a patient's reports of a window, both ends included, the newest first, and a few before it; none that was
 * entered in error or that says nothing of symptoms. If there are more than a response may be about, the oldest are
 * left out.
 */
export async function readGradedReports(
  db: Kysely<Database>,
  patientId: number,
  { from, to }: { from: EpochMs; to: EpochMs },
): Promise<{ inWindow: GradedReport[]; before: GradedReport[]; truncated: boolean }> {
  const newestFirst = db
    .selectFrom('symptom_reports')
    .select(['reported_at', 'answers', 'red_flags', 'since_yesterday'])
    .where('patient_id', '=', patientId)
    .where('in_error_at', 'is', null)
    .where(whereItSaysSomething('symptom_reports'))
    .orderBy('reported_at', 'desc')
    .orderBy('id', 'desc');
  const rows = await newestFirst
    .where('reported_at', '>=', from)
    .where('reported_at', '<=', to)
    .limit(mostReports + 1)
    .execute();
  const before = await newestFirst.where('reported_at', '<', from).limit(mostBefore).execute();
  return {
    inWindow: rows.slice(0, mostReports).map(gradedReportOf),
    before: before.map(gradedReportOf),
    truncated: rows.length > mostReports,
  };
}
