import { setTimeout as pause } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { EpochMs } from '../../lib/time/epochMs';
import { kinds } from '../../lib/vitals/kinds';
import { formatSparkMinute, sparkKinds, sparkMinutes, type SparkKind } from '../../lib/vitals/spark';
import type { Store } from '../db/open';
import type { Database } from '../db/schema';
import type { LiveState } from '../liveState';
import { seriesKey, type Sample } from './sample';
import { deriveLatest } from './deriveLatest';
import { OpenMinutes } from './openMinutes';
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

const minuteMs = 60_000;
/** A minute is closed this long after its end: most of its samples have arrived by then. */
const graceMs = 5_000;
/** Patient-minutes of one step: about 5 ms of the thread that also takes samples in. */
const minutesPerStep = 50;
const rowsPerInsert = 100;
/** Between two steps of a long list the thread belongs to others, three times as long as a step takes. */
const pauseMs = 15;

export interface Rollups {
  /** Epoch minute: samples of earlier minutes are late and written to the list of minutes to redo. */
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
  let rolledUpTo = await readProgress(db, 'closed_until');
  // The rest of a minute that a restart cut in two counts as late: only the samples know its first part.
  let closedUntil = Math.floor(now() / minuteMs) + 1;
  await redoFromSamples(db, rolledUpTo, closedUntil);
  await restoreLatest(store, liveState);
  const recent = await loadRecent(db, liveState, closedUntil);
  const open = new OpenMinutes(closedUntil);
  // A device whose clock runs ahead has samples in minutes that are still to come.
  for (const row of await db.selectFrom('samples').selectAll().where('minute', '>=', closedUntil).execute()) {
    liveState.takeSample(toSample(row));
    open.doubt(toSample(row));
  }
  /** The first minute whose closing failed; it is made up for from the samples. */
  let failedFrom: number | null = null;

  /** Writes the minutes that are over. */
  const close = async (inFlight: () => Promise<void>): Promise<void> => {
    if (failedFrom !== null) {
      const from = failedFrom;
      await store.writeQueue(() => redoFromSamples(db, from, closedUntil));
      failedFrom = null;
    }
    const over = Math.floor((now() - graceMs) / minuteMs);
    if (over <= closedUntil) {
      return;
    }
    const from = closedUntil;
    // From here on samples of these minutes are written as late ones. Those that are on their way still are not.
    closedUntil = over;
    await inFlight();
    const collected = open.collect(over);
    for (const entry of collected) {
      recent.put(entry);
    }
    failedFrom = from;
    for (let first = 0; first < collected.length; first += rowsPerInsert) {
      const part = collected.slice(first, first + rowsPerInsert);
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
      await store.writeQueue(() => db.transaction().execute(write));
    }
    await writeProgress(db, 'closed_until', over);
    failedFrom = null;
  };

  /** Redoes some of the list and says whether there may be more. */
  const redoSome = async (): Promise<boolean> => {
    const { redone, isMore } = await db.transaction().execute(async (transaction) => {
      const due = await takeOffList(transaction, minutesPerStep);
      if (due.length === 0) {
        return { redone: [], isMore: false };
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
      return { redone: rows, isMore: due.length === minutesPerStep };
    });
    for (const row of redone) {
      recent.put(recentOf(row));
    }
    return isMore;
  };

  let stopped = false;
  const catchUpOnce = async (inFlight: () => Promise<void>): Promise<void> => {
    await close(inFlight);
    const target = Math.min(closedUntil, Math.floor((now() - graceMs) / minuteMs));
    while (await store.writeQueue(redoSome)) {
      if (stopped) {
        return;
      }
      await pause(pauseMs);
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
    },
    stop: async () => {
      stopped = true;
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
 * Reads the hour before an epoch minute of all that reported in it. What is not rolled up yet follows when it is
 * redone.
 */
async function loadRecent(db: Kysely<Database>, liveState: LiveState, until: number): Promise<RecentMinutes> {
  const recent = new RecentMinutes();
  const from = until - sparkMinutes;
  const codes = sparkKinds.map((kind) => kinds[kind].code);
  const series = [...liveState.patients.keys()].flatMap((patientId) =>
    codes
      .filter((kind) => liveState.latestOfDevices(patientId, kind).some(({ sample }) => sample.minute >= from))
      .map((kind) => ({ patient_id: patientId, kind })),
  );
  for (let first = 0; first < series.length; first += seriesPerRead) {
    const { rows } = await recentMinutesOf(series.slice(first, first + seriesPerRead), from, until).execute(db);
    for (const row of rows) {
      recent.put(recentOf(row));
    }
  }
  return recent;
}

/** Brings the ward's latest values, which are as old as the stored minutes, up to the samples on the list. */
async function restoreLatest(store: Store, liveState: LiveState): Promise<void> {
  const doubtful = new Map<number, FullSampleRow>();
  const rows = await samplesOnTheList(store.db);
  for (const row of rows) {
    const known = liveState.latestOfDevice({ patientId: row.patient_id, kind: row.kind, deviceId: row.device_id });
    if (
      [known?.sample.takenAt, known?.valid?.takenAt].some(
        (takenAt) => Math.floor((takenAt ?? -1) / minuteMs) === row.minute,
      )
    ) {
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
    await sql`INSERT INTO minutes_to_redo (minute, patient_id, kind)
      SELECT DISTINCT minute, patient_id, kind FROM samples WHERE minute >= ${from} AND minute < ${until}
      ON CONFLICT DO NOTHING`.execute(transaction);
    await writeProgress(transaction, 'closed_until', until);
  });
}

const minuteOf = ({ minute, patient_id, kind }: PatientMinute): PatientMinute => ({ minute, patient_id, kind });
const nameOf = ({ minute, patient_id, kind }: PatientMinute): string => `${minute} ${patient_id} ${kind}`;

/** The samples of each patient-minute in the order of their times, then of their devices. */
function groupByMinute(samples: FullSampleRow[]): FullSampleRow[][] {
  const groups = new Map<string, FullSampleRow[]>();
  for (const row of samples.sort((a, b) =>
    a.taken_at === b.taken_at ? a.device_id - b.device_id : a.taken_at - b.taken_at,
  )) {
    const group = groups.get(nameOf(row));
    if (group === undefined) {
      groups.set(nameOf(row), [row]);
    } else {
      group.push(row);
    }
  }
  return [...groups.values()];
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

async function writeMinutes(
  db: Kysely<Database>,
  rows: (Rollup & { minute: number; patient_id: number; kind: number; site_id: number })[],
): Promise<void> {
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

async function writeLatest(
  db: Kysely<Database>,
  liveState: LiveState,
  keys: { patientId: number; kind: number }[],
): Promise<void> {
  const once = new Map(keys.map((key) => [seriesKey(key.patientId, key.kind), key]));
  const rows = [...once.values()].flatMap(({ patientId, kind }) =>
    liveState.latestOfDevices(patientId, kind).map(({ sample, valid }) => ({
      patient_id: patientId,
      kind,
      site_id: sample.siteId,
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
