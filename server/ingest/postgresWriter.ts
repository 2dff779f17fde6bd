import type pg from 'pg';
import type { EpochMs } from '../../lib/time/epochMs';
import type { Evaluation } from '../alerts/evaluateSamples';
import type { Fence } from '../db/fence';
import { holdOpening } from '../db/fencedPostgres';
import { isOpenMinute } from '../vitals/openMinutes';
import { isRepeat } from '../vitals/qualityCode';
import type { Sample } from '../vitals/sample';
import { atNextTime, endingOf, isLater, type WriteRequest, type Writer, type Written } from './writer';

/**
 * The texts stand here once, so that the test of the query plans reads the ones that run. `redo` touches a row that is
 * there already, so that its lock keeps the rollup from taking it off the list before this call's samples can be seen.
 */
export const postgresStatements = {
  insert: `INSERT INTO samples
    (minute, patient_id, kind, taken_at, device_id, site_id, value, quality, received_at, offset_ms)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[],
      $6::bigint[], $7::float8[], $8::bigint[], $9::bigint[], $10::bigint[])
    ON CONFLICT DO NOTHING RETURNING patient_id, kind, taken_at, device_id`,
  find: `SELECT s.patient_id, s.kind, s.taken_at, s.device_id, s.value, s.quality, s.received_at, s.offset_ms
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
      AS k (minute, patient_id, kind, taken_at, device_id)
    JOIN samples s ON s.minute = k.minute AND s.patient_id = k.patient_id AND s.kind = k.kind
      AND s.taken_at = k.taken_at AND s.device_id = k.device_id
    FOR UPDATE OF s`,
  correct: `UPDATE samples SET value = $1, quality = $2, received_at = $3, offset_ms = $4
    WHERE minute = $5 AND patient_id = $6 AND kind = $7 AND taken_at = $8 AND device_id = $9`,
  keepOld: `INSERT INTO sample_corrections
    (site_id, patient_id, kind, taken_at, device_id, old_value, old_quality, old_received_at, replaced_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  quarantine: `INSERT INTO quarantine (site_id, device_id, received_at, code, sample)
    SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[])`,
  redo: `INSERT INTO minutes_to_redo (minute, patient_id, kind)
    SELECT DISTINCT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
    ON CONFLICT (minute, patient_id, kind) DO UPDATE SET kind = excluded.kind`,
} as const;

/** What a row of samples is found by, beside its minute. */
interface Key {
  patient_id: number;
  kind: number;
  taken_at: EpochMs;
  device_id: number;
}

const keyOf = ({ patient_id, kind, taken_at, device_id }: Key): string =>
  [patient_id, kind, taken_at, device_id].join(' ');
const keyOfSample = ({ patientId, kind, takenAt, deviceId }: Sample): string =>
  keyOf({ patient_id: patientId, kind, taken_at: takenAt, device_id: deviceId });

/**
 * PostgreSQL: one statement a call for all its samples. Only keys that the insert did not return are read and compared
 * afterwards, because one statement for both sees a row that another transaction is just writing as absent.
 */
export function postgresWriter({ pool, fence }: { pool: pg.Pool; fence: Fence }): Writer {
  return async (group, closedUntil, evaluate, sent) => {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const outcomes: (Written | Error)[] = [];
      for (const request of group) {
        outcomes.push(await writeCallAlone(client, request, closedUntil, evaluate));
      }
      const { rows } = await client.query<{ value: number }>(holdOpening);
      fence.check(rows[0]?.value);
      sent();
      await client.query('COMMIT');
      return outcomes;
    } catch (error) {
      broken = error instanceof Error ? error : new Error('The store failed', { cause: error });
      throw broken;
    } finally {
      // A connection whose transaction went wrong is thrown away instead of being handed to the next.
      client.release(broken);
    }
  };
}

async function writeCallAlone(
  client: pg.PoolClient,
  request: WriteRequest,
  closedUntil: number,
  evaluate: Evaluation['evaluate'],
): Promise<Written | Error> {
  await client.query('SAVEPOINT one_call');
  try {
    const written = await writeCall(client, request, closedUntil);
    const evaluated = evaluate(request.samples, written, request.withdrawnAt);
    for (const { sql, parameters } of [...request.clocks, ...evaluated.queries, ...endingOf(request)]) {
      await client.query(sql, [...parameters]);
    }
    await client.query('RELEASE SAVEPOINT one_call');
    evaluated.accept();
    return written;
  } catch (error) {
    await client.query('ROLLBACK TO SAVEPOINT one_call');
    return error instanceof Error ? error : new Error('The store failed', { cause: error });
  }
}

async function writeCall(client: pg.PoolClient, request: WriteRequest, closedUntil: number): Promise<Written> {
  const { samples, quarantined } = request;
  if (quarantined.length > 0) {
    await client.query(postgresStatements.quarantine, [
      quarantined.map((q) => q.siteId),
      quarantined.map((q) => q.deviceId),
      quarantined.map((q) => q.receivedAt),
      quarantined.map((q) => q.code),
      quarantined.map((q) => q.sample),
    ]);
  }
  const outcomes = await writeSamples(client, samples, request);
  for (const { sample, by } of request.replaced) {
    if (outcomes[by] !== 'duplicate') {
      await keepOld(client, sample, sample.receivedAt, sample.value, sample.quality, sample.receivedAt);
    }
  }
  const late = samples.filter(
    (sample, index) => outcomes[index] !== 'duplicate' && !isOpenMinute(sample.minute, closedUntil),
  );
  if (late.length > 0) {
    await client.query(postgresStatements.redo, [
      late.map((s) => s.minute),
      late.map((s) => s.patientId),
      late.map((s) => s.kind),
    ]);
  }
  return outcomes;
}

/** Writes samples. Those whose time is taken are replaced in the list by what is stored. */
async function writeSamples(client: pg.PoolClient, samples: Sample[], request: WriteRequest): Promise<Written> {
  if (samples.length === 0) {
    return [];
  }
  const inserted = await client.query<Key>({
    name: 'insert_samples',
    text: postgresStatements.insert,
    values: [
      samples.map((s) => s.minute),
      samples.map((s) => s.patientId),
      samples.map((s) => s.kind),
      samples.map((s) => s.takenAt),
      samples.map((s) => s.deviceId),
      samples.map((s) => s.siteId),
      samples.map((s) => s.value),
      samples.map((s) => s.quality),
      samples.map((s) => s.receivedAt),
      samples.map((s) => s.offsetMs),
    ],
  });
  if (inserted.rows.length === samples.length) {
    return samples.map(() => 'new');
  }
  const fresh = new Set(inserted.rows.map(keyOf));
  const known = samples.filter((s) => !fresh.has(keyOfSample(s)));
  const found = await client.query<Key & { value: number; quality: number; received_at: number; offset_ms: number }>(
    postgresStatements.find,
    [
      known.map((s) => s.minute),
      known.map((s) => s.patientId),
      known.map((s) => s.kind),
      known.map((s) => s.takenAt),
      known.map((s) => s.deviceId),
    ],
  );
  const stored = new Map(found.rows.map((row) => [keyOf(row), row]));
  const outcomes: Written = [];
  const taken: number[] = [];
  for (const [index, s] of samples.entries()) {
    const key = keyOfSample(s);
    const old = stored.get(key);
    if (fresh.has(key)) {
      outcomes.push('new');
    } else if (old !== undefined && isLater(old, s, request)) {
      taken.push(index);
      outcomes.push('new');
    } else if (old === undefined || isRepeat(old, s)) {
      outcomes.push('duplicate');
    } else {
      await keepOld(client, s, request.withdrawnAt ?? s.receivedAt, old.value, old.quality, old.received_at);
      await client.query(postgresStatements.correct, [
        s.value,
        s.quality,
        s.receivedAt,
        s.offsetMs,
        s.minute,
        s.patientId,
        s.kind,
        s.takenAt,
        s.deviceId,
      ]);
      outcomes.push('correction');
    }
  }
  if (taken.length > 0) {
    const later = taken.flatMap((index) => samples[index] ?? []).map(atNextTime);
    const written = await writeSamples(client, later, request);
    taken.forEach((index, place) => {
      const [sample, outcome] = [later[place], written[place]];
      if (sample !== undefined && outcome !== undefined) {
        samples[index] = sample;
        outcomes[index] = outcome;
      }
    });
  }
  return outcomes;
}

async function keepOld(
  client: pg.PoolClient,
  s: Sample,
  replacedAt: EpochMs,
  value: number,
  quality: number,
  receivedAt: EpochMs,
): Promise<void> {
  await client.query(postgresStatements.keepOld, [
    s.siteId,
    s.patientId,
    s.kind,
    s.takenAt,
    s.deviceId,
    value,
    quality,
    receivedAt,
    replacedAt,
  ]);
}
