import type { Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import { auditDone } from '../audit';
import type { Actor } from '../audit/actor';
import { hold } from '../db/hold';
import type { Database } from '../db/schema';

/**
 * Locks a patient and their links until the transaction of the discharge ends. Call it before the first row of the
 * audit: everyone who opens, locks or revokes a link takes its row and then writes the audit, and two who take these in
 * different orders would wait for each other. The site, if it is locked as well, comes before the patient.
 */
export async function holdLinks(transaction: Kysely<Database>, patientId: number): Promise<void> {
  await hold(transaction, 'patients', patientId);
  await transaction
    .updateTable('check_in_links')
    .set((link) => ({ created_at: link.ref('created_at') }))
    .where('patient_id', '=', patientId)
    .execute();
}

/** Revokes all links of a patient who is discharged, in the transaction of the discharge, which holds them. */
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
    await auditDone(transaction, now, actor, 'revoke_check_in_link', ['patient', patientId], { count: ended.length });
  }
}
