import type { Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import type { ReportPlace } from '../alerts/reportSubject';
import type { Database } from '../db/schema';
import { addEntries } from './findReport';

/**
 * Ends what S1 reports alarm in a place, because `by` has resolved the alert, in its transaction. The reports stay as
 * they are, and their histories say who it was.
 */
export async function endReportAlarms(
  transaction: Kysely<Database>,
  { siteId, unitId }: ReportPlace,
  by: number,
  now: EpochMs,
): Promise<void> {
  const ended = await transaction
    .updateTable('issue_reports')
    .set((before) => ({
      alarm_ended_at: now,
      version: before('version', '+', 1),
      others_version: before
        .case()
        .when('author_id', '=', by)
        .then(before.ref('others_version'))
        .else(before('version', '+', 1))
        .end(),
      changed_at: now,
      changed_by: by,
    }))
    .where('site_id', '=', siteId)
    .where('unit_id', unitId === null ? 'is' : '=', unitId)
    .where('alarm_at', 'is not', null)
    .where('alarm_ended_at', 'is', null)
    .returning(['id', 'version'])
    .execute();
  for (const report of ended) {
    await addEntries(transaction, report, [{ is: 'alarm', from: 'on', to: 'off' }], by, now);
  }
}
