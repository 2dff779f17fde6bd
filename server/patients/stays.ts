import type { Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';

/** Begins a patient's stay at an admission. Does nothing if the patient is here already. */
export async function beginStay(
  transaction: Kysely<Database>,
  now: EpochMs,
  patient: { id: number; site_id: number },
): Promise<void> {
  await transaction
    .insertInto('patient_stays')
    .values({ site_id: patient.site_id, patient_id: patient.id, started_at: now, ended_at: null })
    .onConflict((conflict) => conflict.columns(['site_id', 'patient_id']).where('ended_at', 'is', null).doNothing())
    .execute();
}

/** Ends a patient's stay at a discharge. */
export async function endStay(
  transaction: Kysely<Database>,
  now: EpochMs,
  patient: { id: number; site_id: number },
): Promise<void> {
  await transaction
    .updateTable('patient_stays')
    .set({ ended_at: now })
    .where('site_id', '=', patient.site_id)
    .where('patient_id', '=', patient.id)
    .where('ended_at', 'is', null)
    .execute();
}
