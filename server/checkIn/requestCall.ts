import type { NewCallRequest } from '../../lib/checkIn/schema';
import { callRequestedRule } from '../../lib/checkIn/checkInAlarms';
import type { EpochMs } from '../../lib/time/epochMs';
import { audit } from '../audit';
import type { Actor } from '../audit/actor';
import { holdPatient } from '../patients/holdPatient';
import type { Server } from '../server';
import { unusable, type OpenedLink } from './requireLink';

/** A request that follows so soon after its alert was raised joins it and does not sound again, in milliseconds. */
const joinsWithinMs = 5 * 60_000;
/** Of one link, so many requests of an hour get a row. Further ones join the open alert without. */
const mostRowsAnHour = 60;
const hourMs = 3_600_000;

/**
 * Stores that a patient asks for a call, and returns when they asked, epoch milliseconds. None is ever refused or
 * delayed. One that comes while the alert of an earlier one is open, within 5 min of its last raise, joins it. The same
 * request again, after a lost response, is the one that is there. `how` is added to the audit. Rejects with 404
 * `link_unusable` if the patient was discharged meanwhile.
 */
export async function requestCall(
  { store, alerts, metrics }: Pick<Server, 'store' | 'alerts' | 'metrics'>,
  now: EpochMs,
  actor: Actor,
  { link, patient }: OpenedLink,
  { clientId }: Pick<NewCallRequest, 'clientId'>,
  how: Record<string, string | boolean> = {},
): Promise<EpochMs> {
  const open = alerts
    .listOpen(patient.site_id)
    .find(({ patientId, alert }) => patientId === patient.id && alert.rule === callRequestedRule.rule)?.alert;
  const joins = open?.condition === 'active' && now - open.lastRaisedAt < joinsWithinMs;
  return await store.db.transaction().execute(async (transaction) => {
    if ((await holdPatient(transaction, patient.id)) !== 'active') {
      throw unusable();
    }
    const ofLink = transaction
      .selectFrom('check_in_calls')
      .select(['client_id', 'requested_at'])
      .where('link_id', '=', link.id);
    const known = await ofLink.where('client_id', '=', clientId).executeTakeFirst();
    if (known !== undefined) {
      return known.requested_at;
    }
    const recent = await ofLink
      .where('requested_at', '>', now - hourMs)
      .orderBy('requested_at', 'desc')
      .limit(mostRowsAnHour)
      .execute();
    const [newest] = recent;
    if (joins) {
      metrics.checkInBudget.inc({ what: 'call_joined' });
    }
    if (joins && newest !== undefined && recent.length === mostRowsAnHour) {
      return newest.requested_at;
    }
    await transaction
      .insertInto('check_in_calls')
      .values({
        site_id: patient.site_id,
        patient_id: patient.id,
        link_id: link.id,
        client_id: clientId,
        requested_at: now,
        joined: joins ? 1 : 0,
      })
      .execute();
    await audit(transaction, now, actor, {
      action: 'request_call',
      outcome: 'done',
      objectType: 'patient',
      objectId: patient.id,
      details: { link: link.id, for: link.for, ...how, ...(joins ? { joined: true } : {}) },
    });
    return now;
  });
}
