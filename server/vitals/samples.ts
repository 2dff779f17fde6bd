import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Engine } from '../db/engine';
import type { Database } from '../db/schema';
import type { EpochMs } from '../../lib/time/epochMs';
import { ageFrom, agreementMs } from '../../lib/vitals/deviceClock';
import { movedMs, nearMs, type Sample } from './sample';
import type { Rollup } from './rollUp';

/** The parts of a sample that a chart needs. */
export interface SampleRow {
  minute: number;
  taken_at: number;
  value: number;
  quality: number;
  device_id: number;
  received_at: number;
  /** How far the device's clock is behind ours, in milliseconds. */
  offset_ms: number;
}

/**
 * Returns the query for one kind of one patient in a list of minutes. The minutes are listed one by one because the key
 * starts with them: each is a short range of the key. `BETWEEN` would read all patients' rows of the window.
 */
export function samplesQuery(
  engine: Engine,
  patientId: number,
  kind: number,
  minutes: readonly number[],
): RawBuilder<SampleRow> {
  return engine === 'sqlite'
    ? sql<SampleRow>`SELECT s.minute, s.taken_at, s.value, s.quality, s.device_id, s.received_at, s.offset_ms
        FROM json_each(${JSON.stringify(minutes)}) AS m
        CROSS JOIN samples s ON s.minute = m.value AND s.patient_id = ${patientId} AND s.kind = ${kind}`
    : sql<SampleRow>`SELECT minute, taken_at, value, quality, device_id, received_at, offset_ms FROM samples
        WHERE minute = ANY(${minutes}::bigint[]) AND patient_id = ${patientId} AND kind = ${kind}`;
}

/**
 * Returns the query for those of a list of minutes in which a patient has any sample of a kind: a look at the key for
 * each. LATERAL, because PostgreSQL may turn an EXISTS into a join that reads all samples.
 */
export function sampledMinutesQuery(
  engine: Engine,
  patientId: number,
  kind: number,
  minutes: readonly number[],
): RawBuilder<{ minute: number }> {
  return engine === 'sqlite'
    ? sql<{ minute: number }>`SELECT m.value AS minute FROM json_each(${JSON.stringify(minutes)}) AS m
        WHERE EXISTS (SELECT 1 FROM samples s
          WHERE s.minute = m.value AND s.patient_id = ${patientId} AND s.kind = ${kind})`
    : sql<{ minute: number }>`SELECT m.minute FROM unnest(${minutes}::bigint[]) AS m (minute)
        CROSS JOIN LATERAL (SELECT 1 FROM samples s
          WHERE s.minute = m.minute AND s.patient_id = ${patientId} AND s.kind = ${kind} LIMIT 1) AS any_sample`;
}

/** A sample with its time by our clock, as tiles, charts and exports have it. */
export type TimedRow = SampleRow & { at: EpochMs };

/**
 * If the minute was moved by another offset, it is that one's: so was the sample charted. An offset of a right clock is
 * the time on the way: its samples are charted as they were sent.
 */
function chartedAt({ minute, taken_at, offset_ms, received_at }: SampleRow): EpochMs {
  const moved = movedMs({ minute, takenAt: taken_at });
  if (Math.abs(offset_ms - moved) > nearMs) {
    return taken_at + moved;
  }
  return Math.abs(offset_ms) <= agreementMs ? taken_at : ageFrom(taken_at, offset_ms, received_at);
}

/** Reads samples of one kind of one patient in the given epoch minutes, in the order of their times by our clock. */
export async function readSamples(
  db: Kysely<Database>,
  engine: Engine,
  patientId: number,
  kind: number,
  minutes: readonly number[],
): Promise<TimedRow[]> {
  if (minutes.length === 0) {
    return [];
  }
  const { rows } = await samplesQuery(engine, patientId, kind, minutes).execute(db);
  return rows.map((row) => Object.assign(row, { at: chartedAt(row) })).sort((a, b) => a.at - b.at);
}

export interface PatientMinute {
  minute: number;
  patient_id: number;
  kind: number;
}

/**
 * Returns the keys as a table `k` of a query. They are numbers of the store, so they may be part of the text, in which
 * PostgreSQL reads them as numbers. The CROSS JOINs below make SQLite begin with them.
 */
function withKeys(keys: readonly PatientMinute[]): RawBuilder<unknown> {
  const rows = keys.map(
    ({ minute, patient_id, kind }) => `(${Number(minute)}, ${Number(patient_id)}, ${Number(kind)})`,
  );
  return sql.raw(`WITH k (minute, patient_id, kind) AS (VALUES ${rows.join(', ')})`);
}

/** Returns the query for all samples of some patient-minutes. */
export function samplesOfMinutes(keys: readonly PatientMinute[]): RawBuilder<FullSampleRow> {
  return sql<FullSampleRow>`${withKeys(keys)} SELECT s.* FROM k
    CROSS JOIN samples s WHERE s.minute = k.minute AND s.patient_id = k.patient_id AND s.kind = k.kind`;
}

/** Returns the query for the rollups of some patient-minutes. */
export function rollupsOfMinutes(keys: readonly PatientMinute[]): RawBuilder<Rollup & PatientMinute> {
  return sql<Rollup & PatientMinute>`${withKeys(keys)} SELECT m.* FROM k
    CROSS JOIN minutes m WHERE m.patient_id = k.patient_id AND m.kind = k.kind AND m.minute = k.minute`;
}

/**
 * Returns the query for the rollups of some series from an epoch minute up to, but without, another. Each series is its
 * own range of the key: with a join to a list of series, PostgreSQL would search the minutes of all patients.
 */
export function recentMinutesOf(
  series: readonly Pick<PatientMinute, 'patient_id' | 'kind'>[],
  from: number,
  until: number,
): RawBuilder<Rollup & PatientMinute> {
  const ranges = series.map(
    ({ patient_id, kind }) =>
      sql`SELECT * FROM minutes WHERE patient_id = ${sql.lit(patient_id)} AND kind = ${sql.lit(kind)}
        AND minute >= ${sql.lit(from)} AND minute < ${sql.lit(until)}`,
  );
  return sql<Rollup & PatientMinute>`${sql.join(ranges, sql` UNION ALL `)}`;
}

export interface FullSampleRow extends SampleRow, PatientMinute {
  site_id: number;
}

/** Returns a row of the store as a sample. */
export function toSample(row: FullSampleRow): Sample {
  return {
    minute: row.minute,
    patientId: row.patient_id,
    kind: row.kind,
    takenAt: row.taken_at,
    deviceId: row.device_id,
    siteId: row.site_id,
    value: row.value,
    quality: row.quality,
    receivedAt: row.received_at,
    offsetMs: row.offset_ms,
  };
}
