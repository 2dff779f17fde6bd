import type BetterSqlite3 from 'better-sqlite3';
import type { Kysely } from 'kysely';
import type { EpochMs } from '../../lib/time/epochMs';
import type { CallEvaluation, Evaluation } from '../alerts/evaluateSamples';
import { keptStatements } from '../db/keptStatements';
import type { Database } from '../db/schema';
import type { WriteGuard } from '../db/writeGuard';
import { isOpenMinute } from '../vitals/openMinutes';
import { isRepeat } from '../vitals/qualityCode';
import type { Sample } from '../vitals/sample';
import { atNextTime, endingOf, isLater, type WriteRequest, type Writer, type Written } from './writer';

/** The texts stand here once, so that the test of the query plans reads the ones that run. */
export const sqliteStatements = {
  insert: `INSERT INTO samples
    (minute, patient_id, kind, taken_at, device_id, site_id, value, quality, received_at, offset_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  find: `SELECT value, quality, received_at, offset_ms FROM samples
    WHERE minute = ? AND patient_id = ? AND kind = ? AND taken_at = ? AND device_id = ?`,
  correct: `UPDATE samples SET value = ?, quality = ?, received_at = ?, offset_ms = ?
    WHERE minute = ? AND patient_id = ? AND kind = ? AND taken_at = ? AND device_id = ?`,
  keepOld: `INSERT INTO sample_corrections
    (site_id, patient_id, kind, taken_at, device_id, old_value, old_quality, old_received_at, replaced_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  quarantine: `INSERT INTO quarantine (site_id, device_id, received_at, code, sample) VALUES (?, ?, ?, ?, ?)`,
  redo: `INSERT INTO minutes_to_redo (minute, patient_id, kind) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
} as const;

interface Stored {
  value: number;
  quality: number;
  received_at: number;
  offset_ms: number;
}

/**
 * SQLite: one prepared statement a row (a builder costs half the speed), on the one connection that everything shares.
 * Kysely's own mutex keeps the group out of anybody else's transaction; inside, nothing awaits.
 */
export function sqliteWriter({
  db,
  sqlite,
  guard,
  askFence,
}: {
  db: Kysely<Database>;
  sqlite: BetterSqlite3.Database;
  guard: WriteGuard;
  askFence: () => void;
}): Writer {
  const insert = sqlite.prepare(sqliteStatements.insert);
  const find = sqlite.prepare<number[], Stored>(sqliteStatements.find);
  const correct = sqlite.prepare(sqliteStatements.correct);
  const keepOld = sqlite.prepare(sqliteStatements.keepOld);
  const quarantine = sqlite.prepare(sqliteStatements.quarantine);
  const redo = sqlite.prepare(sqliteStatements.redo);
  const prepare = keptStatements((text) => sqlite.prepare(text));

  const keep = (sample: Sample, at: EpochMs, old: { value: number; quality: number; receivedAt: EpochMs }): void => {
    keepOld.run(
      sample.siteId,
      sample.patientId,
      sample.kind,
      sample.takenAt,
      sample.deviceId,
      old.value,
      old.quality,
      old.receivedAt,
      at,
    );
  };

  /** Writes a sample; null if its time is taken by one that was measured at another time. */
  const writeAt = (s: Sample, request: WriteRequest): Written[number] | null => {
    const { changes } = insert.run(
      s.minute,
      s.patientId,
      s.kind,
      s.takenAt,
      s.deviceId,
      s.siteId,
      s.value,
      s.quality,
      s.receivedAt,
      s.offsetMs,
    );
    if (changes === 1) {
      return 'new';
    }
    const stored = find.get(s.minute, s.patientId, s.kind, s.takenAt, s.deviceId);
    if (stored !== undefined && isLater(stored, s, request)) {
      return null;
    }
    if (stored === undefined || isRepeat(stored, s)) {
      return 'duplicate';
    }
    keep(s, request.withdrawnAt ?? s.receivedAt, {
      value: stored.value,
      quality: stored.quality,
      receivedAt: stored.received_at,
    });
    correct.run(s.value, s.quality, s.receivedAt, s.offsetMs, s.minute, s.patientId, s.kind, s.takenAt, s.deviceId);
    return 'correction';
  };

  const writeSample = (given: Sample, index: number, request: WriteRequest): Written[number] => {
    let sample = given;
    let outcome = writeAt(sample, request);
    while (outcome === null) {
      sample = atNextTime(sample);
      request.samples[index] = sample;
      outcome = writeAt(sample, request);
    }
    return outcome;
  };

  const writeCall = (
    request: WriteRequest,
    closedUntil: number,
    evaluate: Evaluation['evaluate'],
  ): { outcomes: Written; evaluated: CallEvaluation } => {
    for (const q of request.quarantined) {
      quarantine.run(q.siteId, q.deviceId, q.receivedAt, q.code, q.sample);
    }
    const outcomes = request.samples.map((given, index) => {
      const outcome = writeSample(given, index, request);
      const sample = request.samples[index] ?? given;
      if (outcome !== 'duplicate' && !isOpenMinute(sample.minute, closedUntil)) {
        redo.run(sample.minute, sample.patientId, sample.kind);
      }
      return outcome;
    });
    for (const { sample, by } of request.replaced) {
      if (outcomes[by] !== 'duplicate') {
        keep(sample, sample.receivedAt, sample);
      }
    }
    const evaluated = evaluate(request.samples, outcomes, request.withdrawnAt);
    for (const { sql, parameters } of [...request.clocks, ...evaluated.queries, ...endingOf(request)]) {
      prepare(sql).run(...parameters);
    }
    return { outcomes, evaluated };
  };

  // Inside the outer transaction better-sqlite3 makes this one a savepoint.
  const writeCallAlone = sqlite.transaction(writeCall);
  const writeGroup = sqlite.transaction(
    (group: WriteRequest[], closedUntil: number, evaluate: Evaluation['evaluate']): (Written | Error)[] => {
      askFence();
      return group.map((request) => {
        try {
          const { outcomes, evaluated } = writeCallAlone(request, closedUntil, evaluate);
          evaluated.accept();
          return outcomes;
        } catch (error) {
          // Some faults (a full disk) end the whole transaction: then no call is stored.
          if (!sqlite.inTransaction || !(error instanceof Error)) {
            throw error;
          }
          return error;
        }
      });
    },
  );

  return async (group, closedUntil, evaluate) =>
    await db
      .connection()
      .execute(() => Promise.resolve(guard.write(() => writeGroup.immediate(group, closedUntil, evaluate))));
}
