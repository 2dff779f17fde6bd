import type { NewCallRequest } from '../../lib/checkIn/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { audit } from '../audit';
import type { Actor } from '../audit/actor';
import type { Store } from '../db/open';
import type { OpenedLink } from './requireLink';

/**
 * Stores that a patient asks for a call, and returns when they asked, epoch milliseconds. The same request again, after
 * a lost response, is the one that is there.
 */
export async function requestCall(
  { db }: Store,
  now: EpochMs,
  actor: Actor,
  { link, patient }: OpenedLink,
  { clientId }: NewCallRequest,
): Promise<EpochMs> {
  return await db.transaction().execute(async (transaction) => {
    const added = await transaction
      .insertInto('check_in_calls')
      .values({
        site_id: patient.site_id,
        patient_id: patient.id,
        link_id: link.id,
        client_id: clientId,
        requested_at: now,
      })
      .onConflict((conflict) => conflict.columns(['link_id', 'client_id']).doNothing())
      .returning('requested_at')
      .executeTakeFirst();
    if (added !== undefined) {
      await audit(transaction, now, actor, {
        action: 'request_call',
        outcome: 'done',
        objectType: 'patient',
        objectId: patient.id,
        details: { link: link.id, for: link.for },
      });
      return added.requested_at;
    }
    const known = await transaction
      .selectFrom('check_in_calls')
      .select('requested_at')
      .where('link_id', '=', link.id)
      .where('client_id', '=', clientId)
      .executeTakeFirstOrThrow();
    return known.requested_at;
  });
}
