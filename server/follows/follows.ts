import { mostFollowed, type FollowSeen } from '../../lib/follows/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Store } from '../db/open';
import { HttpError } from '../http/httpError';
import { inScope, type Scope } from '../http/scope';
import type { LiveState } from '../liveState';
import { readLastResults } from './readLastResults';

/** Returns whether a user who follows a patient sees them in their list: within reach, and not discharged. */
export function isInList(liveState: LiveState, scope: Scope, patientId: number): boolean {
  const patient = liveState.patients.get(patientId);
  return patient !== undefined && patient.state === 'active' && inScope(scope, patient);
}

/**
 * Stores that a user follows a patient, from now on. Again it changes nothing: what they saw stays seen. Rejects with
 * 409 `too_many_followed` beyond 50 patients in the user's list: they cannot stop following one who is not in it.
 */
export async function followPatient(
  { store: { db }, liveState, scope }: { store: Store; liveState: LiveState; scope: Scope },
  now: EpochMs,
  userId: number,
  patientId: number,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const rows = await transaction
      .selectFrom('patient_follows')
      .select('patient_id')
      .where('user_id', '=', userId)
      .execute();
    if (rows.some(({ patient_id }) => patient_id === patientId)) {
      return;
    }
    if (rows.filter(({ patient_id }) => isInList(liveState, scope, patient_id)).length >= mostFollowed) {
      const message = `You follow ${mostFollowed} patients already. Stop following one of them first.`;
      throw new HttpError(409, 'too_many_followed', message);
    }
    const { last } = await transaction
      .selectFrom('alert_history')
      .select(({ fn }) => fn.max<number | null>('alert_id').as('last'))
      .where('patient_id', '=', patientId)
      .executeTakeFirstOrThrow();
    const handoff = (await readLastResults(transaction, [patientId])).get(patientId);
    await transaction
      .insertInto('patient_follows')
      .values({
        user_id: userId,
        patient_id: patientId,
        followed_at: now,
        seen_alert_id: last ?? 0,
        seen_handoff_id: handoff?.id ?? 0,
        seen_handoff_result: handoff?.result ?? null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** Stores that a user follows a patient no longer, and resolves with whether they did before. */
export async function unfollowPatient({ db }: Store, userId: number, patientId: number): Promise<boolean> {
  const ended = await db
    .deleteFrom('patient_follows')
    .where('user_id', '=', userId)
    .where('patient_id', '=', patientId)
    .returning('patient_id')
    .executeTakeFirst();
  return ended !== undefined;
}

/**
 * Stores what a user has seen of a patient whom they follow. An alert that is older than the last one seen, or another
 * patient's, changes nothing, and a result of a handoff only if it is still the last: the newer one is not seen.
 */
export async function markFollowedSeen(
  { db }: Store,
  userId: number,
  patientId: number,
  { alertId, handoff }: FollowSeen,
): Promise<void> {
  const row = db.updateTable('patient_follows').where('user_id', '=', userId).where('patient_id', '=', patientId);
  if (alertId !== undefined) {
    await row
      .set({ seen_alert_id: alertId })
      .where('seen_alert_id', '<', alertId)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('alert_history')
            .select('alert_id')
            .where('alert_id', '=', alertId)
            .where('alert_history.patient_id', '=', patientId),
        ),
      )
      .execute();
  }
  if (handoff !== undefined) {
    const last = (await readLastResults(db, [patientId])).get(patientId);
    if (last?.id === handoff.id && last.result === handoff.result) {
      await row.set({ seen_handoff_id: last.id, seen_handoff_result: last.result }).execute();
    }
  }
}
