import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { EpochMs } from '../../lib/time/epochMs';
import { kinds, vitalKinds } from '../../lib/vitals/kinds';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import { readProgress, writeProgress } from './progress';
import type { PatientMinute } from './samples';

const minutesPerDay = 1_440;
const minutesKeptDays = 400;
const quarantineKeptMs = 30 * 86_400_000;
/** A run deletes what is of so many days at most: if it goes by a wrong clock, someone can still stop it. */
const daysPerRun = 2;
const runMs = daysPerRun * 86_400_000;
/** The patient-minutes of 60 samples, or other rows, of one step: below 10 ms of the thread that also ingests. */
const minutesPerStep = 50;
const rowsPerStep = 500;

/** Sources below this are users (server/vitals/manualSource). What they typed in is never deleted. */
const manualBelow = 0;

const continuousKinds = vitalKinds.filter((kind) => kinds[kind].continuous).map((kind) => kinds[kind].code);

const yieldToOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What decides about deletion. */
interface Retention {
  /** Epoch minute: the first that is not rolled up, so its samples and later ones stay. */
  rolledUpTo: number;
  /** Epoch milliseconds. */
  now: EpochMs;
  rawDays: number;
  log: Logger;
  /** If aborted, deletion ends after the current step; the rest waits for the next time. */
  signal: AbortSignal;
}

/**
 * Deletes rows beyond their retention in small steps, and returns the number of deleted samples: continuous samples of
 * patients on a monitor after `rawDays`, minutes and ended alarms of devices after 400 days, quarantine after 30; of
 * each at most those of two days a run. Keeps spot readings, those of patients at home and those that were typed in.
 */
export async function applyRetention(
  store: Store,
  { rolledUpTo, now, rawDays, log, signal }: Retention,
): Promise<number> {
  const nowMinute = Math.floor(now / 60_000);
  const deleted = await thin(store.db, Math.min(nowMinute - rawDays * minutesPerDay, rolledUpTo), signal);
  await deleteMinutes(store.db, nowMinute - minutesKeptDays * minutesPerDay, signal);
  await deleteOld(store.db, 'quarantine', 'received_at', { tooOld: now - quarantineKeptMs, signal });
  await deleteOld(store.db, 'device_alarms', 'ended_at', { tooOld: now - minutesKeptDays * 86_400_000, signal });
  if (deleted > 0) {
    log.info({ deleted }, 'old continuous samples were deleted; their minutes stay');
  }
  return deleted;
}

/** Returns a function that says whether samples of a patient-minute may have been deleted for their age. */
export async function mayBeThinned(db: Kysely<Database>): Promise<(minute: PatientMinute) => boolean> {
  const until = await readProgress(db, 'thinned_until');
  return ({ minute, kind }) => minute < until && continuousKinds.some((code) => code === kind);
}

/** Makes the next deletion include these minutes, which got late samples. */
export async function thinAgain(db: Kysely<Database>, minutes: readonly PatientMinute[]): Promise<void> {
  if (minutes.length > 0) {
    const first = Math.min(...minutes.map(({ minute }) => minute));
    await db
      .updateTable('progress')
      .set({ value: first })
      .where('name', '=', 'thin_from')
      .where('value', '>', first)
      .execute();
  }
}

async function thin(db: Kysely<Database>, before: number, signal: AbortSignal): Promise<number> {
  const until = await readProgress(db, 'thinned_until');
  // Stored before the first sample is deleted, so that no minute without its samples counts as complete.
  await writeProgress(db, 'thinned_until', Math.max(until, before));
  let deleted = 0;
  let end = before;
  let from = await readProgress(db, 'thin_from');
  while (from < end && !signal.aborted) {
    const minute = await nextMinute(db, from, end);
    const gone = minute < end ? await thinSome(db, minute) : 0;
    if (deleted === 0 && gone > 0) {
      end = Math.min(before, minute + daysPerRun * minutesPerDay);
    }
    deleted += gone;
    if (gone === 0) {
      await stepOn(db, from, Math.min(minute + 1, end));
      from = await readProgress(db, 'thin_from');
    }
    await yieldToOthers();
  }
  return deleted;
}

/** Moves the place where deletion begins, unless `thinAgain` has set it back in the meantime. */
async function stepOn(db: Kysely<Database>, from: number, to: number): Promise<void> {
  if (from === 0) {
    await db
      .insertInto('progress')
      .values({ name: 'thin_from', value: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await db
    .updateTable('progress')
    .set({ value: to })
    .where('name', '=', 'thin_from')
    .where('value', '=', from)
    .execute();
}

/** Returns the first minute from the given one on that has a sample, at most `before`. */
async function nextMinute(db: Kysely<Database>, from: number, before: number): Promise<number> {
  const row = await db
    .selectFrom('samples')
    .select('minute')
    .where('minute', '>=', from)
    .orderBy('minute')
    .limit(1)
    .executeTakeFirst();
  return Math.min(row?.minute ?? before, before);
}

/** Deletes some continuous samples of a minute, never those that are still to be rolled up, and returns how many. */
async function thinSome(db: Kysely<Database>, minute: number): Promise<number> {
  return await db.transaction().execute(async (transaction) => {
    const keys = await transaction
      .selectFrom('samples')
      .innerJoin('patients', 'patients.id', 'samples.patient_id')
      .select(['samples.patient_id', 'samples.kind'])
      .distinct()
      .where('samples.minute', '=', minute)
      .where('samples.kind', 'in', continuousKinds)
      .where('samples.device_id', '>', manualBelow)
      .where('patients.profile', '=', 'continuous')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('minutes_to_redo as redo')
              .select('redo.minute')
              .whereRef('redo.minute', '=', 'samples.minute')
              .whereRef('redo.patient_id', '=', 'samples.patient_id')
              .whereRef('redo.kind', '=', 'samples.kind'),
          ),
        ),
      )
      .limit(minutesPerStep)
      .execute();
    let deleted = 0;
    for (const { patient_id, kind } of keys) {
      const result = await transaction
        .deleteFrom('samples')
        .where('minute', '=', minute)
        .where('patient_id', '=', patient_id)
        .where('kind', '=', kind)
        .where('device_id', '>', manualBelow)
        .executeTakeFirst();
      deleted += Number(result.numDeletedRows);
    }
    return deleted;
  });
}

async function deleteMinutes(db: Kysely<Database>, before: number, signal: AbortSignal): Promise<void> {
  for (const { patient_id, kind } of await db
    .selectFrom('latest_values')
    .select(['patient_id', 'kind'])
    .distinct()
    .execute()) {
    if (signal.aborted) {
      return;
    }
    const first = await db
      .selectFrom('minutes')
      .select('minute')
      .where('patient_id', '=', patient_id)
      .where('kind', '=', kind)
      .where('minute', '<', before)
      .orderBy('minute')
      .limit(1)
      .executeTakeFirst();
    if (first !== undefined) {
      await db
        .deleteFrom('minutes')
        .where('patient_id', '=', patient_id)
        .where('kind', '=', kind)
        .where('minute', '<', Math.min(before, first.minute + daysPerRun * minutesPerDay))
        .execute();
    }
    await yieldToOthers();
  }
}

/** Deletes the rows of a table whose time in a column is over, at most those of two days. */
async function deleteOld(
  db: Kysely<Database>,
  table: 'quarantine' | 'device_alarms',
  column: 'received_at' | 'ended_at',
  { tooOld, signal }: { tooOld: EpochMs; signal: AbortSignal },
): Promise<void> {
  const { rows } = await sql<{ at: number }>`SELECT ${sql.ref(column)} AS at FROM ${sql.table(table)}
    WHERE ${sql.ref(column)} < ${tooOld} ORDER BY ${sql.ref(column)} LIMIT 1`.execute(db);
  const [first] = rows;
  if (first === undefined) {
    return;
  }
  const before = Math.min(tooOld, first.at + runMs);
  while (!signal.aborted) {
    const { rows: old } = await sql<{ id: number }>`SELECT id FROM ${sql.table(table)}
      WHERE ${sql.ref(column)} < ${before} LIMIT ${rowsPerStep}`.execute(db);
    const ids = old.map(({ id }) => id);
    if (ids.length === 0) {
      return;
    }
    await db.deleteFrom(table).where('id', 'in', ids).execute();
    await yieldToOthers();
  }
}
