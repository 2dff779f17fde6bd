import type { EpochMs } from '../../lib/time/epochMs';
import { audit } from '../audit';
import type { Actor } from '../audit/actor';
import type { Store } from '../db/open';
import { HttpError, notFound } from '../http/httpError';
import type { Scope } from '../http/scope';
import type { LiveState } from '../liveState';
import { requirePatient } from '../patients/requirePatient';
import { readingKindsOf } from '../checkIn/reportReadings';
import { readReport, type StoredReport } from './queries';

/**
 * Marks a report as entered in error and returns it; it stays on record. The caller withdraws its readings. The same
 * user and reason again, after a lost response, change nothing. Rejects with 404 if it is out of reach, and with 409
 * `in_error` if it is marked already: its message says by whom.
 */
export async function markInError(
  { db }: Store,
  liveState: LiveState,
  now: EpochMs,
  actor: Actor,
  scope: Scope,
  { id, by }: { id: number; by: number },
  reason: string,
): Promise<StoredReport> {
  const known = await db.selectFrom('symptom_reports').select('patient_id').where('id', '=', id).executeTakeFirst();
  if (known === undefined) {
    throw notFound();
  }
  requirePatient(liveState, known.patient_id, scope);
  return await db.transaction().execute(async (transaction) => {
    const marked = await transaction
      .updateTable('symptom_reports')
      .set({ in_error_at: now, in_error_by: by, in_error_reason: reason })
      .where('id', '=', id)
      .where('in_error_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    const row = await readReport(transaction, id);
    if (marked !== undefined) {
      await audit(transaction, now, actor, {
        action: 'mark_symptoms_in_error',
        outcome: 'done',
        objectType: 'patient',
        objectId: row.patient_id,
        details: row.readings_at === null ? { report: id } : { report: id, kinds: readingKindsOf(row) },
      });
    } else if (row.in_error_by !== by || row.in_error_reason !== reason) {
      throw new HttpError(
        409,
        'in_error',
        `${row.strikerName ?? 'Another user'} has marked this as entered in error.`,
        {
          id,
        },
      );
    }
    return row;
  });
}
