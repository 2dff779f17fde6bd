import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import { storedTime } from '../../lib/alerts/storedEpisode';
import { saysSymptoms, type GradedReport } from '../../lib/symptoms/gradedReport';
import { redFlagsOf } from '../../lib/symptoms/redFlagsOf';
import { redFlag, symptomAnswersBy } from '../../lib/symptoms/schema';
import type { UnreadableReport } from '../../lib/symptoms/symptomStrip';
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
type RowWithId = GradedRow & { id: number };

const pairs = z.array(z.tuple([z.string(), z.string()]));
const flags = z.array(redFlag);

/** Returns a stored report as strips, lists and counts take it. */
export function gradedReportOf(row: GradedRow): GradedReport {
  const answers = symptomAnswersBy.parse(Object.fromEntries(pairs.parse(JSON.parse(row.answers))));
  return {
    reportedAt: storedTime.parse(row.reported_at),
    answers,
    redFlags: redFlagsOf(answers, flags.parse(JSON.parse(row.red_flags))),
    sinceYesterday: row.since_yesterday,
    breathlessness: row.breathlessness ?? null,
  };
}

/** Returns the same, or null if it cannot be read, which `faults` counts. */
export function readGradedReport(row: RowWithId, patientId: number, faults: AlertFaults): GradedReport | null {
  try {
    return gradedReportOf(row);
  } catch {
    faults.unread('symptoms', { patientId, deviceId: null }, row.id);
    return null;
  }
}

/** The most reports of one window, and how many before it are compared with. */
const mostReports = 4_000;
const mostBefore = 5;

/**
 * Reads a patient's reports of a window, both ends included, the newest first, and a few before it; none that was
 * entered in error or that says nothing of symptoms. One that cannot be read is in the window as such. If there are
 * more than a response may be about, the oldest are left out.
 */
export async function readGradedReports(
  db: Kysely<Database>,
  patientId: number,
  { from, to }: { from: EpochMs; to: EpochMs },
  faults: AlertFaults,
): Promise<{ inWindow: (GradedReport | UnreadableReport)[]; before: GradedReport[]; truncated: boolean }> {
  const newestFirst = db
    .selectFrom('symptom_reports')
    .select(['id', 'reported_at', 'answers', 'red_flags', 'since_yesterday'])
    .where('patient_id', '=', patientId)
    .where('in_error_at', 'is', null)
    .orderBy('reported_at', 'desc')
    .orderBy('id', 'desc');
  // All of the window: whether a damaged one says something of symptoms is not known.
  const rows = await newestFirst
    .where('reported_at', '>=', from)
    .where('reported_at', '<=', to)
    .limit(mostReports + 1)
    .execute();
  const before = await newestFirst
    .where('reported_at', '<', from)
    .where(whereItSaysSomething('symptom_reports'))
    .limit(mostBefore)
    .execute();
  const read = (row: RowWithId) => readGradedReport(row, patientId, faults);
  return {
    inWindow: rows.slice(0, mostReports).flatMap((row) => {
      const report = read(row) ?? { reportedAt: row.reported_at, isUnreadable: true as const };
      return 'isUnreadable' in report || saysSymptoms(report) ? [report] : [];
    }),
    before: before.map(read).filter((report) => report !== null),
    truncated: rows.length > mostReports,
  };
}
