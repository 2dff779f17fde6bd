import type { Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import { audit } from '../audit';
import type { Actor } from '../audit/actor';
import type { Database } from '../db/schema';

/** Revokes all links of a patient who is discharged, in the transaction of the discharge. */
export async function endLinks(
  transaction: Kysely<Database>,
  now: EpochMs,
  actor: Actor,
  patientId: number,
): Promise<void> {
  const ended = await transaction
    .updateTable('check_in_links')
    .set({ revoked_at: now, revoked_by: actor.actorId })
    .where('patient_id', '=', patientId)
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute();
  if (ended.length > 0) {
    await audit(transaction, now, actor, {
      action: 'revoke_check_in_link',
      outcome: 'done',
      objectType: 'patient',
      objectId: patientId,
      details: { count: ended.length },
    });
  }
}
