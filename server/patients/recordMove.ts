import type { Kysely } from 'kysely';
import type { StayKind } from '../../lib/chart/sections';
import type { EpochMs } from '../../lib/time/epochMs';
import { endOpen } from '../alerts/pauses';
import type { Actor } from '../audit/actor';
import type { Database } from '../db/schema';
import type { PatientRow } from '../db/rows';
import { HttpError } from '../http/httpError';
import { changingMs } from './bedStays';

type Place = Pick<PatientRow, 'unit_id' | 'bed'>;

/** A move of longer ago cannot be entered, in milliseconds: which values came by a bed is known for so long. */
const latestMs = 24 * 3_600_000;

/**
 * Writes down for the chart that a patient came, changed the place, or left. Call it in the transaction of that. A move
 * to the same place writes nothing; one to another unit ends a standby. `now` is epoch milliseconds; `since` is when it
 * was, if it is entered later: values that came by the bed alone in between are withdrawn. Rejects with 422 if `since`
 * lies in the future, more than 24 h back, or before the patient's last move, or there is no move.
 */
export async function recordMove(
  transaction: Kysely<Database>,
  now: EpochMs,
  actor: Actor,
  kind: StayKind,
  patient: Pick<PatientRow, 'id' | 'site_id'>,
  { from, to, since }: { from: Place | null; to: Place | null; since?: EpochMs | undefined },
): Promise<void> {
  if (kind === 'moved' && from?.unit_id === to?.unit_id && from?.bed === to?.bed) {
    if (since !== undefined) {
      throw impossible('is for a move, and the patient is in this bed');
    }
    return;
  }
  if (since !== undefined) {
    await requirePossible(transaction, now, patient, since);
  }
  const userId = actor.actor === 'user' ? actor.actorId : null;
  if (kind === 'moved' && from?.unit_id !== to?.unit_id) {
    // Who asked for it is not with the patient any more (clinical.md section 00, A3).
    await endOpen(transaction, 'standbys', now, { userId, patientId: patient.id });
  }
  await transaction
    .insertInto('patient_moves')
    .values({
      site_id: patient.site_id,
      patient_id: patient.id,
      kind,
      moved_at: since ?? now,
      recorded_at: since === undefined ? null : now,
      moved_by: userId,
      from_unit_id: from?.unit_id ?? null,
      from_bed: from?.bed ?? null,
      to_unit_id: to?.unit_id ?? null,
      to_bed: to?.bed ?? null,
    })
    .execute();
  if (since !== undefined) {
    // Values that came by these beds meanwhile may be under a wrong patient; those of just before may be of either.
    const made = { site_id: patient.site_id, since: since - changingMs, made_at: now, made_by: userId };
    const replays = [from, to].flatMap((place) =>
      place === null || place.unit_id === null || place.bed === null
        ? []
        : [{ ...made, unit_id: place.unit_id, bed: place.bed }],
    );
    if (replays.length > 0) {
      await transaction.insertInto('bed_replays').values(replays).execute();
    }
  }
}

async function requirePossible(
  transaction: Kysely<Database>,
  now: EpochMs,
  { id }: Pick<PatientRow, 'id'>,
  since: EpochMs,
): Promise<void> {
  const last = await transaction
    .selectFrom('patient_moves')
    .select('moved_at')
    .where('patient_id', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const fault =
    since > now
      ? 'lies in the future'
      : since < now - latestMs
        ? 'is more than 24 hours ago'
        : since < (last?.moved_at ?? 0)
          ? 'is before the patient’s last move'
          : null;
  if (fault !== null) {
    throw impossible(fault);
  }
}

/** Returns the refusal of a `since`. */
export const impossible = (fault: string): HttpError =>
  new HttpError(422, 'invalid', `since: ${fault}`, { fields: { since: fault } });
