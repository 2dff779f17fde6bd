import { sql, type RawBuilder } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Engine } from '../db/engine';
import type { Store } from '../db/open';

const minuteMs = 60_000;

/**
 * Returns the query for those of the given epoch minutes that have a sample of one kind of one patient. Each minute is
 * one look into the key, however many samples it has.
 */
export function storedMinutesQuery(
  engine: Engine,
  patientId: number,
  kind: number,
  minutes: readonly number[],
): RawBuilder<{ minute: number }> {
  const isStored = sql`EXISTS (SELECT 1 FROM samples s
    WHERE s.minute = m.minute AND s.patient_id = ${patientId} AND s.kind = ${kind})`;
  return engine === 'sqlite'
    ? sql`SELECT m.minute FROM (SELECT value AS minute FROM json_each(${JSON.stringify(minutes)})) m WHERE ${isStored}`
    : sql`SELECT m.minute FROM unnest(${minutes}::bigint[]) AS m (minute) WHERE ${isStored}`;
}

/** Returns the epoch minutes of a window that have a sample of one kind of one patient. */
export async function storedMinutes(
  store: Store,
  patientId: number,
  kind: number,
  from: EpochMs,
  to: EpochMs,
): Promise<Set<number>> {
  const first = Math.floor(from / minuteMs);
  const minutes = Array.from(
    { length: Math.max(0, Math.floor(to / minuteMs) - first + 1) },
    (_, index) => first + index,
  );
  const { rows } = await storedMinutesQuery(store.engine, patientId, kind, minutes).execute(store.db);
  return new Set(rows.map(({ minute }) => minute));
}
