import type { Kysely } from 'kysely';
import type { Database } from '../db/schema';
import type { LiveState } from '../liveState';
import type { Rollup } from './rollUp';
import { seriesKey, type Latest } from './sample';
import type { PatientMinute } from './samples';

/** Of one statement: SQLite takes a limited number of values. */
export const rowsPerInsert = 100;

/** A patient-minute with its rollup. */
export type RollupRow = Rollup & PatientMinute & { site_id: number };

/** Writes the rollups of minutes, in place of those that are stored. */
export async function writeMinutes(db: Kysely<Database>, rows: readonly RollupRow[]): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  await db
    .insertInto('minutes')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['patient_id', 'kind', 'minute']).doUpdateSet((row) => ({
        min: row.ref('excluded.min'),
        max: row.ref('excluded.max'),
        last: row.ref('excluded.last'),
        count: row.ref('excluded.count'),
        questionable: row.ref('excluded.questionable'),
        invalid: row.ref('excluded.invalid'),
      })),
    )
    .execute();
}

/** Writes the latest values of each device of these series, as they are in memory, without what is not stored. */
export async function writeLatest(
  db: Kysely<Database>,
  liveState: LiveState,
  keys: { patientId: number; kind: number }[],
): Promise<void> {
  const once = new Map(keys.map((key) => [seriesKey(key.patientId, key.kind), key]));
  const rows = [...once.values()].flatMap(({ patientId, kind }) =>
    latestStored(liveState, patientId, kind).map(({ sample, valid }) => ({
      patient_id: patientId,
      kind,
      site_id: sample.siteId,
      minute: sample.minute,
      taken_at: sample.takenAt,
      device_id: sample.deviceId,
      value: sample.value,
      quality: sample.quality,
      received_at: sample.receivedAt,
      offset_ms: sample.offsetMs,
      valid_value: valid?.value ?? null,
      valid_taken_at: valid?.takenAt ?? null,
      valid_as_of: valid?.asOf ?? null,
    })),
  );
  for (let first = 0; first < rows.length; first += rowsPerInsert) {
    await db
      .insertInto('latest_values')
      .values(rows.slice(first, first + rowsPerInsert))
      .onConflict((conflict) =>
        conflict.columns(['patient_id', 'kind', 'device_id']).doUpdateSet((row) => ({
          minute: row.ref('excluded.minute'),
          taken_at: row.ref('excluded.taken_at'),
          value: row.ref('excluded.value'),
          quality: row.ref('excluded.quality'),
          received_at: row.ref('excluded.received_at'),
          offset_ms: row.ref('excluded.offset_ms'),
          valid_value: row.ref('excluded.valid_value'),
          valid_taken_at: row.ref('excluded.valid_taken_at'),
          valid_as_of: row.ref('excluded.valid_as_of'),
        })),
      )
      .execute();
  }
}

function latestStored(liveState: LiveState, patientId: number, kind: number): Latest[] {
  return liveState
    .latestOfDevices(patientId, kind)
    .flatMap((latest) => (latest.sample.isUnstored === true ? (latest.stored ?? []) : latest));
}
