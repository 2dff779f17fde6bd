import type { Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';

/**
 * Resolves with the time at which a report of a patient is recorded: later than that of any other one of theirs, in the
 * order of the commits, because what is answered and what is news goes by it (lib/alerts/symptomEpisode). Call it while
 * the patient is held. Epoch milliseconds.
 */
export async function nextRecordedAt(transaction: Kysely<Database>, patientId: number, now: EpochMs): Promise<EpochMs> {
  const { newest } = await transaction
    .selectFrom('symptom_reports')
    .select((select) => select.fn.max('recorded_at').as('newest'))
    .where('patient_id', '=', patientId)
    // Of the same millisecond, or of a call that waited for this one: hardly any, found by the index of this time.
    .where('recorded_at', '>=', now)
    .executeTakeFirstOrThrow();
  return newest === null ? now : newest + 1;
}
