import type { Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Database } from '../db/schema';
import { bedKey, type BedMove } from './bedStays';

/** Resolves with the moves of all patients since `since` (epoch milliseconds) into a bed or out of one. */
export async function readMoves(db: Kysely<Database>, since: EpochMs): Promise<BedMove[]> {
  const rows = await db
    .selectFrom('patient_moves')
    .selectAll()
    .where('moved_at', '>=', since)
    .orderBy('moved_at')
    .orderBy('id')
    .execute();
  return rows
    .map((row) => ({
      patientId: row.patient_id,
      at: row.moved_at,
      from: bedKey(row.from_unit_id, row.from_bed),
      to: bedKey(row.to_unit_id, row.to_bed),
    }))
    .filter(({ from, to }) => from !== to);
}
