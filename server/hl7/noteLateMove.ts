import { changingMs } from '../../lib/heldValues/changingMs';
import type { Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Actor } from '../audit/actor';
import type { PatientRow } from '../db/rows';
import type { Database } from '../db/schema';
import { bedKey } from '../patients/bedStays';

interface LateMove {
  siteId: number;
  /** The beds that the patient left and came into. */
  places: readonly (Pick<PatientRow, 'unit_id' | 'bed'> | null)[];
  since: EpochMs;
}

/**
 * Notes that values which came by these beds since a move that is entered late may be under a wrong patient. Call it in
 * the transaction of the move: `correctValues` goes on with it also after a crash. Epoch milliseconds.
 */
export async function noteLateMove(
  transaction: Kysely<Database>,
  now: EpochMs,
  actor: Actor,
  { siteId, places, since }: LateMove,
): Promise<void> {
  const beds = new Set(places.flatMap((place) => bedKey(place?.unit_id ?? null, place?.bed ?? null) ?? []));
  if (beds.size === 0) {
    return;
  }
  const mappings = await transaction
    .selectFrom('bed_mappings')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('confirmed_at', 'is not', null)
    .where((where) => where.or([where('ended_at', 'is', null), where('ended_at', '>', since)]))
    .execute();
  const corrections = mappings
    .filter(({ unit_id, bed }) => beds.has(bedKey(unit_id, bed) ?? ''))
    .map((mapping) => ({
      ...{ site_id: mapping.site_id, sender_id: mapping.sender_id, sender_bed: mapping.sender_bed },
      ...{ unit_id: mapping.unit_id, bed: mapping.bed },
      ...{ made_at: now, made_by: actor.actor === 'user' ? actor.actorId : null },
      // Values of just before may be of either; those of before the mapping did not come by it.
      since: Math.max(since - changingMs, mapping.confirmed_at ?? 0),
      until: mapping.ended_at,
    }));
  if (corrections.length > 0) {
    await transaction.insertInto('bed_corrections').values(corrections).execute();
  }
}
