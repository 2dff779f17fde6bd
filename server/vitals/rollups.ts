import { setTimeout as pause } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import { groupBy } from '../../lib/groupBy';
import type { EpochMs } from '../../lib/time/epochMs';
import { kinds } from '../../lib/vitals/kinds';
import { formatSparkMinute, sparkKinds, sparkMinutes, type SparkKind } from '../../lib/vitals/spark';
import { inParts } from '../db/inParts';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import type { LiveState } from '../liveState';
import { seriesKey, type Sample } from './sample';
import { deriveLatest, minutesOf } from './deriveLatest';
import { nextMinutes } from './nextMinutes';
import { OpenMinutes, openMinutesAhead } from './openMinutes';
import { readProgress, writeProgress } from './progress';
import { RecentMinutes } from './recentMinutes';
import { mayBeThinned, thinAgain } from './retention';
import { keepDeleted, rollUp, type Rollup } from './rollUp';
import {
  recentMinutesOf,
  rollupsOfMinutes,
  samplesOfMinutes,
  toSample,
  type FullSampleRow,
  type PatientMinute,
} from './samples';
import { rowsPerInsert, writeLatest, writeMinutes, type RollupRow } from './writeRollups';

const minuteMs = 60_000;
/** A minute is closed this long after its end: most of its samples have arrived by then. */
const graceMs = 5_000;
/**
 * A clock that was ahead has closed minutes which are still to come. Each sample of a closed minute is rolled up alone,
 * so where that would go on for longer than this, in minutes, they are opened again.
 */
const closedAhead = 1_440;
/** Between two steps of a long list the thread belongs to others, at least this long, in milliseconds. */
const pauseMs = 15;

export interface Rollups {
  /**
   * Epoch minute: samples of earlier minutes, and of those that are not open yet (`isOpenMinute`), are written to the
   * list of minutes to redo. It goes back with the clock only if that was ahead by more than a day.
   */
  closedUntil(): number;
  /** Epoch minute: every earlier rollup is up to date; charts read later minutes from the samples. */
  rolledUpTo(): number;
  /**
   * The spark line of one kind of one patient from an epoch minute on (`formatSparkMinute`), or null where the hour is
   * empty. It asks the store nothing. A minute that still goes on shows what has come of it; what was corrected in it
   * shows when it is over.
   */
  spark(patientId: number, kind: SparkKind, from: number): string | null;
  /** Takes in a committed sample. */
  take(sample: Sample, isNew: boolean): void;
  /** Notes a sample that may or may not have been committed. */
  doubt(sample: Sample): void;
  /**
   * Closes minutes that are over and redoes what is due, until nothing is left. `inFlight` resolves when the samples
   * that are being written at this moment are committed and taken in.
   */
  catchUp(inFlight: () => Promise<void>): Promise<void>;
  /** Ends after the step that is running; the rest of the list waits for the next start. */
  stop(): Promise<void>;
}

/**
 * The store's minutes (min, max, last, count) and its latest values are derived from the samples. They cost the way to
 * an ACK nothing: a minute is counted in memory and written when it is over; samples that come later put it on the
 * durable list `minutes_to_redo`. A latest value is written with the minute of its sample. So after a crash the minutes
 * that were not closed and those on the list hold everything that the derived tables do not know; here, at start, they
 * are read.
 */
export async function restoreRollups(
  store: Store,
  liveState: LiveState,
  now: () => EpochMs,
  log: Logger,
): Promise<Rollups> {
  const { db } = store;
  const present = Math.floor(now() / minuteMs) + 1;
  const stored = await readProgress(db, 'closed_until');
  const isAhead = stored > present + closedAhead;
  if (isAhead) {
    // Those that were open then.
    await listMinutes(db, stored, stored + openMinutesAhead);
  }
  let rolledUpTo = isAhead ? present : stored;
  // The rest of a minute that a restart cut in two counts as late: only the samples know its first part. After a step
  // back of the clock minutes of the future are closed.
  let closedUntil = Math.max(rolledUpTo, present);
  await redoFromSamples(db, rolledUpTo, closedUntil);
  const openUntil = closedUntil + openMinutesAhead;
  // Those that were open when the server stopped.
  await listMinutes(db, openUntil, openUntil + openMinutesAhead);
  await restoreLatest(store, liveState);
  const recent = new RecentMinutes();
  await readRecent(db, liveState, recent, { from: closedUntil - sparkMinutes, until: closedUntil });
  const open = new OpenMinutes(closedUntil, await firstUnknown(db, openUntil));
  // A device whose clock runs ahead has samples in minutes that are still to come.
  const ahead = db.selectFrom('samples').selectAll().where('minute', '>=', closedUntil).where('minute', '<', openUntil);
  for (const row of await ahead.execute()) {
    liveState.takeSample(toSample(row));
    open.doubt(toSample(row));
  }
  /** The first minute whose closing failed; it is made up for from the samples. */
  let failedFrom: number | null = null;
  /** The first closed minute that may have got another sample since. */
  let doubtedFrom: number | null = null;
  /** The first minute that was open when minutes were opened again, and is still to be put on the list. */
  let leftOpen: number | null = null;

  /** Writes the minutes that are over. */
  const close = async (inFlight: () => Promise<void>): Promise<void> => {
    if (failedFrom !== null || doubtedFrom !== null) {
      const from = Math.min(failedFrom ?? Infinity, doubtedFrom ?? Infinity);
      [failedFrom, doubtedFrom] = [from, null];
      await store.writeQueue(() => redoFromSamples(db, from, closedUntil));
      failedFrom = null;
    }
    const over = Math.floor((now() - graceMs) / minuteMs);
    if (closedUntil > over + closedAhead) {
      leftOpen = closedUntil;
      closedUntil = Math.floor(now() / minuteMs) + 1;
      rolledUpTo = Math.min(rolledUpTo, closedUntil);
      open.reopen(closedUntil);
    }
    if (leftOpen !== null) {
      const [first, until] = [leftOpen, closedUntil];
      await inFlight();
      await store.writeQueue(() =>
        db.transaction().execute(async (transaction) => {
          await listMinutes(transaction, first, first + openMinutesAhead);
          await writeProgress(transaction, 'closed_until', until);
        }),
      );
      recent.forget();
      await readRecent(db, liveState, recent, { from: until - sparkMinutes, until });
      leftOpen = null;
    }
    if (over <= closedUntil) {
      return;
    }
    const from = closedUntil;
    // From here on samples of these minutes are written as late ones. Those that are on their way still are not.
    closedUntil = over;
    open.open(over);
    await inFlight();
    const collected = open.collect(over);
    for (const entry of collected) {
      recent.put(entry);
    }
    failedFrom = from;
    for (const part of inParts(collected, rowsPerInsert)) {
      const write = async (transaction: Kysely<Database>): Promise<void> => {
        const clear = part.filter(({ unclear }) => !unclear);
        await writeMinutes(
          transaction,
          clear.map((entry) => ({ ...keyOf(entry), site_id: entry.siteId, ...entry.rollup })),
        );
        await writeLatest(transaction, liveState, clear);
        const unclear = part.filter((entry) => entry.unclear).map(keyOf);
        if (unclear.length > 0) {
          await transaction
            .insertInto('minutes_to_redo')
            .values(unclear)
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        }
      };
      await store.writeQueue((givenUp) =>
        db.transaction().execute(async (transaction) => {
          await write(transaction);
          givenUp.throwIfAborted();
        }),
      );
    }
    await writeProgress(db, 'closed_until', over);
    failedFrom = null;
    if (open.isUnknown(from)) {
      await readRecent(db, liveState, recent, { from, until: over });
    }
  };

  /** Redoes some of the list. Resolves with the milliseconds that it took if there may be more, or with null. */
  const redoSome = async (givenUp: AbortSignal): Promise<number | null> => {
    const begun = performance.now();
    const { redone, isMore } = await db.transaction().execute(async (transaction) => {
      const all: RollupRow[] = [];
      let [done, last, some] = [0, 0, true];
      for (
        let most = nextMinutes(store.engine, { done, last, tookMs: 0 });
        some && most > 0;
        most = nextMinutes(store.engine, { done, last, tookMs: performance.now() - begun })
      ) {
        const { rows, taken } = await redoMinutes(transaction, liveState, most);
        all.push(...rows);
        [done, last, some] = [done + taken, taken, taken === most];
      }
      givenUp.throwIfAborted();
      return { redone: all, isMore: some };
    });
    for (const row of redone) {
      // One of the future would take the place of the present ones.
      if (row.minute < closedUntil + openMinutesAhead) {
        recent.put(recentOf(row));
      }
    }
    return isMore ? performance.now() - begun : null;
  };

  const stopping = new AbortController();
  const { signal } = stopping;
  const catchUpOnce = async (inFlight: () => Promise<void>): Promise<void> => {
    await close(inFlight);
    const target = Math.min(closedUntil, Math.floor((now() - graceMs) / minuteMs));
    for (let tookMs = await store.writeQueue(redoSome); tookMs !== null; tookMs = await store.writeQueue(redoSome)) {
      // A stop ends the pause: a step may have taken seconds.
      await pause(Math.max(pauseMs, 2 * tookMs), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) {
        return;
      }
    }
    rolledUpTo = target;
  };
  let busy: Promise<void> | null = null;

  return {
    closedUntil: () => closedUntil,
    rolledUpTo: () => rolledUpTo,
    spark: (patientId, kind, from) => {
      const texts = recent.read(patientId, kinds[kind].code, from);
      for (const { minute, rollup } of open.of(patientId, kinds[kind].code)) {
        if (texts[minute - from] === '') {
          texts[minute - from] = formatSparkMinute(kind, rollup);
        }
      }
      return texts.every((text) => text === '') ? null : texts.join(',');
    },
    take: (sample, isNew) => {
      open.take(sample, isNew);
    },
    doubt: (sample) => {
      open.doubt(sample);
      if (sample.minute < closedUntil && sample.minute >= closedUntil - openMinutesAhead) {
        // Its commit took so long that its minute was closed meanwhile.
        doubtedFrom = Math.min(doubtedFrom ?? sample.minute, sample.minute);
      }
    },
    stop: async () => {
      stopping.abort();
      await busy;
    },
    catchUp: async (inFlight) => {
      busy ??= catchUpOnce(inFlight)
        .catch((error: unknown) => {
          log.error(
            { code: error instanceof Error ? error.name : 'unknown' },
            'rolling up minutes failed; it is tried again',
          );
        })
        .finally(() => {
          busy = null;
        });
      await busy;
    },
  };
}

const keyOf = (entry: { minute: number; patientId: number; kind: number }) => ({
  minute: entry.minute,
  patient_id: entry.patientId,
  kind: entry.kind,
});

type MinuteRow = Rollup & PatientMinute;
const recentOf = ({ patient_id, kind, minute, ...rollup }: MinuteRow) => ({
  patientId: patient_id,
  kind,
  minute,
  rollup,
});

/** Patient-kinds that are read together at start; SQLite takes no more than 500. */
const seriesPerRead = 100;

/**
 * Reads a stretch of epoch minutes of all that have reported since it began. What is not rolled up yet follows when it
 * is redone.
 */
async function readRecent(
  db: Kysely<Database>,
  liveState: LiveState,
  recent: RecentMinutes,
  { from, until }: { from: number; until: number },
): Promise<void> {
  const codes = sparkKinds.map((kind) => kinds[kind].code);
  const series = [...liveState.patients.keys()].flatMap((patientId) =>
    codes
      .filter((kind) => liveState.latestOfDevices(patientId, kind).some(({ sample }) => sample.minute >= from))
      .map((kind) => ({ patient_id: patientId, kind })),
  );
  for (const part of inParts(series, seriesPerRead)) {
    const { rows } = await recentMinutesOf(part, from, until).execute(db);
    for (const row of rows) {
      recent.put(recentOf(row));
    }
  }
}

/** Brings the ward's latest values, which are as old as the stored minutes, up to the samples on the list. */
async function restoreLatest(store: Store, liveState: LiveState): Promise<void> {
  const doubtful = new Map<number, FullSampleRow>();
  const rows = await samplesOnTheList(store.db);
  for (const row of rows) {
    const known = liveState.latestOfDevice({ patientId: row.patient_id, kind: row.kind, deviceId: row.device_id });
    if (known !== undefined && minutesOf(known).includes(row.minute)) {
      doubtful.set(seriesKey(row.patient_id, row.kind), row);
    }
  }
  for (const row of rows) {
    liveState.takeSample(toSample(row));
  }
  for (const { patient_id, kind, minute } of doubtful.values()) {
    await deriveLatest(store, liveState, patient_id, kind, [minute]);
  }
}

/** Puts every patient-minute of a stretch on the list, and only then counts the stretch as closed. */
async function redoFromSamples(db: Kysely<Database>, from: number, until: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await listMinutes(transaction, from, until);
    await writeProgress(transaction, 'closed_until', until);
  });
}

async function listMinutes(db: Kysely<Database>, from: number, until: number): Promise<void> {
  await sql`INSERT INTO minutes_to_redo (minute, patient_id, kind)
    SELECT DISTINCT minute, patient_id, kind FROM samples WHERE minute >= ${from} AND minute < ${until}
    ON CONFLICT DO NOTHING`.execute(db);
}

/** Resolves with the first minute from the given one on after which nothing has been stored yet. */
async function firstUnknown(db: Kysely<Database>, from: number): Promise<number> {
  const row = await db
    .selectFrom('samples')
    .select('minute')
    .where('minute', '>=', from)
    .orderBy('minute', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? from : row.minute + 1;
}

const minuteOf = ({ minute, patient_id, kind }: PatientMinute): PatientMinute => ({ minute, patient_id, kind });
const nameOf = ({ minute, patient_id, kind }: PatientMinute): string => `${minute} ${patient_id} ${kind}`;

/** Redoes at most so many patient-minutes of the list; returns their rollups, and how many it took off the list. */
async function redoMinutes(
  transaction: Kysely<Database>,
  liveState: LiveState,
  most: number,
): Promise<{ rows: RollupRow[]; taken: number }> {
  const due = await takeOffList(transaction, most);
  if (due.length === 0) {
    return { rows: [], taken: 0 };
  }
  const samples = (await samplesOfMinutes(due).execute(transaction)).rows;
  const stored = new Map((await rollupsOfMinutes(due).execute(transaction)).rows.map((row) => [nameOf(row), row]));
  const isThinned = await mayBeThinned(transaction);
  const rows = groupByMinute(samples).flatMap((group) => {
    const [first] = group;
    if (first === undefined) {
      return [];
    }
    const rollup = isThinned(first) ? keepDeleted(rollUp(group), stored.get(nameOf(first))) : rollUp(group);
    return [{ ...minuteOf(first), site_id: first.site_id, ...rollup }];
  });
  await writeMinutes(transaction, rows);
  await thinAgain(transaction, rows.filter(isThinned));
  await writeLatest(
    transaction,
    liveState,
    rows.map((row) => ({ patientId: row.patient_id, kind: row.kind })),
  );
  return { rows, taken: due.length };
}

/** The samples of each patient-minute in the order of their times, then of their devices. */
function groupByMinute(samples: FullSampleRow[]): FullSampleRow[][] {
  samples.sort((a, b) => (a.taken_at === b.taken_at ? a.device_id - b.device_id : a.taken_at - b.taken_at));
  return [...groupBy(samples, nameOf).values()];
}

async function takeOffList(db: Kysely<Database>, most: number): Promise<PatientMinute[]> {
  const { rows } = await sql<PatientMinute>`DELETE FROM minutes_to_redo WHERE (minute, patient_id, kind) IN (
      SELECT minute, patient_id, kind FROM minutes_to_redo ORDER BY minute, patient_id, kind LIMIT ${most})
    RETURNING minute, patient_id, kind`.execute(db);
  return rows;
}

async function samplesOnTheList(db: Kysely<Database>): Promise<FullSampleRow[]> {
  const { rows } = await sql<FullSampleRow>`SELECT s.* FROM minutes_to_redo r
    CROSS JOIN samples s WHERE s.minute = r.minute AND s.patient_id = r.patient_id AND s.kind = r.kind`.execute(db);
  return rows;
}
