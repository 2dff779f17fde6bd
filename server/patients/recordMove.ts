import type { Kysely } from 'kysely';
import type { StayKind } from '../../lib/chart/sections';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Actor } from '../audit/actor';
import type { Database } from '../db/schema';
import type { PatientRow } from '../db/rows';

type Place = Pick<PatientRow, 'unit_id' | 'bed'>;

/**
 * Writes down for the chart that a patient came, changed the place, or left. Call it in the transaction of that. A move
 * to the same place writes nothing. `now` is epoch milliseconds.
 */
export async function recordMove(
  transaction: Kysely<Database>,
  now: EpochMs,
  actor: Actor,
  kind: StayKind,
  patient: Pick<PatientRow, 'id' | 'site_id'>,
  { from, to }: { from: Place | null; to: Place | null },
): Promise<void> {
  if (kind === 'moved' && from?.unit_id === to?.unit_id && from?.bed === to?.bed) {
    return;
  }
  await transaction
    .insertInto('patient_moves')
    .values({
      site_id: patient.site_id,
      patient_id: patient.id,
      kind,
      moved_at: now,
      moved_by: actor.actor === 'user' ? actor.actorId : null,
      from_unit_id: from?.unit_id ?? null,
      from_bed: from?.bed ?? null,
      to_unit_id: to?.unit_id ?? null,
      to_bed: to?.bed ?? null,
    })
    .execute();
}
