import { sql, type RawBuilder } from 'kysely';
import type { Store } from '../db/open';
import type { Engine } from '../db/engine';

const minuteMs = 60_000;

/**
 * The query for those of the given epoch minutes that hold a sample of one kind of one patient: each is one look into
 * the key, however many samples the minute has.
 */
export function storedMinutesQuery(
  engine: Engine,
  patientId: number,
  kind: number,
  minutes: readonly number[],
): RawBuilder<{ minute: number }> {
  const isStored = sql`EXISTS (SELECT 1 FROM samples s WHERE s.minute = m.minute AND s.patient_id = ${patientId} AND s.kind = ${kind})`;
  return engine === 'sqlite'
    ? sql`SELECT m.minute FROM (SELECT value AS minute FROM json_each(${JSON.stringify(minutes)})) m WHERE ${isStored}`
    : sql`SELECT m.minute FROM unnest(${minutes}::bigint[]) AS m (minute) WHERE ${isStored}`;
}

/** Returns the epoch minutes in a window (epoch milliseconds) that hold a sample of one kind of one patient. */
export async function storedMinutes(
  store: Store,
  patientId: number,
  kind: number,
  from: number,
  to: number,
): Promise<Set<number>> {
  const first = Math.floor(from / minuteMs);
  const minutes = Array.from(
    { length: Math.max(0, Math.floor(to / minuteMs) - first + 1) },
    (_, index) => first + index,
  );
  const { rows } = await storedMinutesQuery(store.engine, patientId, kind, minutes).execute(store.db);
  return new Set(rows.map(({ minute }) => minute));
}
