import { chmodSync, statfsSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
import { Kysely, PostgresDialect, SqliteDialect, sql, type KyselyPlugin, type SqliteDatabase } from 'kysely';
import pg from 'pg';
import { reserveIn, type Reserve } from '../disk/reserve';
import { nameDamage } from './damage';
import { countOpening, createFence, readOpening, type Fence } from './fence';
import { FencedPostgres } from './fencedPostgres';
import { loadSqlite } from './loadSqlite';
import { holdFileLock, holdPostgresLock } from './lock';
import { makeDataDir } from './makeDataDir';
import { measureFlush } from './measureFlush';
import { migrate } from './migrate';
import { noteClosed, noteIfClosed, noteOpened, requireDatabase, requireWhole } from './openedMark';
import { createPostgresPool } from './postgresPool';
import type { Database } from './schema';
import { createSerialQueue, type SerialQueue } from './serialQueue';
import { createWritableCheck, TakesNoWrites } from './writableCheck';
import { createWriteGuard, guardedDatabase, type WriteGuard } from './writeGuard';

/**
 * Creates a plugin that lets others have the thread after each query, until `end`. SQLite answers in this thread, and a
 * start is one long chain of such answers: without it no request would hear that the server is starting.
 */
function createStartTurns(): KyselyPlugin & { end(): void } {
  let isStarting = true;
  return {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (isStarting) {
        await turn();
      }
      return result;
    },
    end: () => {
      isStarting = false;
    },
  };
}

/** The open store. `sqlite` and `pool` are the engine's own handles, for ingest alone; everything else uses Kysely. */
export type Store = {
  db: Kysely<Database>;
  /** The same for work that may take longer than a request: on PostgreSQL its queries have a minute (`unhurried`). */
  slowDb: Kysely<Database>;
  /** Every transaction asks it before its commit. */
  fence: Fence;
  /** How long the disk with the data takes for a flush, in milliseconds; 0 on PostgreSQL, whose disk is its own. */
  flushMs: number;
  /**
   * Runs writes of samples, and of what is derived from them, one after another. SQLite has one writer anyway. On
   * PostgreSQL no minute may be closed, rolled up or thinned while a transaction that adds to it is still open.
   */
  writeQueue: SerialQueue;
  /** Room on the disk that is given up when there is no other; null on PostgreSQL, whose disk is another computer's. */
  reserve: Reserve | null;
  /** Rejects unless the store takes writes now (server/db/writableCheck). */
  checkWritable(): Promise<void>;
  /**
   * Waits no longer for another process that holds the SQLite file: a start may wait 5 s for a command or a backup, but
   * SQLite waits in the thread that answers every request. Nor does it give others the thread after each query, as at a
   * start (`createStartTurns`). Call it before the first request that needs the store.
   */
  beginServing(): void;
  /** Rejects if another process has taken over the lock on this database, or has opened it since. */
  lockLost: Promise<never>;
  close(): Promise<void>;
} & (
  | {
      engine: 'sqlite';
      sqlite: BetterSqlite3.Database;
      guard: WriteGuard;
      /** Throws `TakenOver` if another process has opened the file. Call it inside a transaction that has its lock. */
      askFence: () => void;
    }
  | { engine: 'postgres'; pool: pg.Pool }
);

/** How long SQLite waits for another process that holds the file, in milliseconds: while it starts, and then. */
const busyTimeoutMs = { start: 5_000, serving: 50 };
/**
 * The limits of a query on PostgreSQL while requests are served. A frozen database then costs a request 6 s and no more
 * than that, and gives its connection back.
 */
const servingLimits = {
  statement_timeout: 5_000,
  query_timeout: 6_000,
  // As long as the queue waits for its work (serialQueue.ts).
  idle_in_transaction_session_timeout: 20_000,
};
/**
 * The limits at a start, which reads everything, and of `slowDb`. Migrations, commands and backups take as long as they
 * need: they have connections of their own.
 */
const slowLimits = { statement_timeout: 60_000, query_timeout: 65_000, lock_timeout: 15_000 };
const connections = { serving: 8, slow: 4, migrating: 1 };

// BIGINT arrives as text by default. Ids and milliseconds stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Opens the store on the configured engine, takes its exclusive lock, and migrates it to the newest schema. Throws if
 * another process holds the lock, or if SQLite would not flush every commit to disk.
 */
export async function openStore(where: { dataDir: string; databaseUrl: string | null }): Promise<Store> {
  return where.databaseUrl === null ? await openSqlite(where.dataDir) : await openPostgres(where.databaseUrl);
}

/** Returns the store with the longer limits, for work in the background and files that are made while they are sent. */
export function unhurried(store: Store): Store {
  return { ...store, db: store.slowDb };
}

/**
 * Opens the store for a command, beside a running server: without lock and migration. Throws if there is no store yet.
 */
export async function openStoreForCommand(where: {
  dataDir: string;
  databaseUrl: string | null;
}): Promise<Kysely<Database>> {
  if (where.databaseUrl !== null) {
    return new Kysely<Database>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: where.databaseUrl, max: 1 }) }),
    });
  }
  const Sqlite = loadSqlite();
  requireWhole(where.dataDir);
  requireDatabase(where.dataDir);
  const sqlite = new Sqlite(path.join(where.dataDir, 'wardlight.db'), { fileMustExist: true });
  sqlite.pragma('synchronous = FULL');
  sqlite.pragma('foreign_keys = ON');
  const database: SqliteDatabase = {
    prepare: (text) => sqlite.prepare(text),
    close: () => {
      sqlite.close();
      noteIfClosed(where.dataDir);
    },
  };
  return await Promise.resolve(new Kysely<Database>({ dialect: new SqliteDialect({ database }) }));
}

async function openSqlite(dataDir: string): Promise<Store> {
  makeDataDir(dataDir);
  const Sqlite = loadSqlite();
  const releaseLock = holdFileLock(Sqlite, dataDir);
  const file = path.join(dataDir, 'wardlight.db');
  let sqlite: BetterSqlite3.Database | null = null;
  try {
    requireWhole(dataDir);
    const flushMs = measureFlush(dataDir);
    sqlite = new Sqlite(file);
    // The folder may be readable by others. SQLite gives the files beside this one the same mode.
    chmodSync(file, 0o600);
    const opened = sqlite;
    const guard = createWriteGuard();
    const reserve = reserveIn(dataDir);
    const turns = createStartTurns();
    const fence = await prepareSqlite(opened, turns);
    const readEpoch = opened.prepare<[], { value: number }>(readOpening);
    const askFence = (): void => {
      fence.check(readEpoch.get()?.value);
    };
    const db = new Kysely<Database>({
      dialect: new SqliteDialect({ database: guardedDatabase(opened, guard, askFence) }),
      plugins: [turns],
    });
    noteOpened(dataDir);
    return {
      engine: 'sqlite',
      sqlite: opened,
      guard,
      fence,
      askFence,
      flushMs,
      db,
      slowDb: db,
      writeQueue: createSerialQueue(),
      reserve,
      checkWritable: createWritableCheck({
        db,
        checkLock: () =>
          db.connection().execute(async (connection) => {
            await sql`BEGIN IMMEDIATE`.execute(connection);
            await sql`ROLLBACK`.execute(connection);
          }),
        freeBytes: () => {
          const { bavail, bsize } = statfsSync(dataDir);
          return bavail * bsize;
        },
        giveUpReserve: () => reserve.giveUp(),
      }),
      beginServing: () => {
        opened.pragma(`busy_timeout = ${busyTimeoutMs.serving}`);
        turns.end();
      },
      lockLost: fence.lost,
      close: async () => {
        try {
          // Before the file is closed: a crash in between must not look like a journal that was lost.
          if (!fence.isLost()) {
            noteClosed(dataDir);
          }
        } finally {
          await db.destroy();
          releaseLock();
        }
      },
    };
  } catch (error) {
    sqlite?.close();
    releaseLock();
    throw nameDamage(error, file);
  }
}

async function prepareSqlite(sqlite: BetterSqlite3.Database, turns: KyselyPlugin): Promise<Fence> {
  sqlite.pragma(`busy_timeout = ${busyTimeoutMs.start}`);
  sqlite.pragma('journal_mode = WAL');
  // The package's default in WAL mode is NORMAL, which loses acknowledged rows in a power failure.
  sqlite.pragma('synchronous = FULL');
  sqlite.pragma('foreign_keys = ON');
  // In KiB. With twice as much the demo takes more than 300 MB after ten minutes.
  sqlite.pragma('cache_size = -32768');
  sqlite.pragma('wal_autocheckpoint = 4000');
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database: sqlite }), plugins: [turns] });
  await migrate(db, 'sqlite');
  const counted = sqlite.prepare<[], { value: number }>(countOpening).get();
  // Checked after a write: before the first one SQLite may still report the old setting.
  if (sqlite.pragma('synchronous', { simple: true }) !== 2) {
    throw new Error('SQLite does not run with synchronous=FULL: acknowledged vitals could be lost');
  }
  return createFence(counted?.value ?? 0);
}

async function openPostgres(databaseUrl: string): Promise<Store> {
  const lock = await holdPostgresLock(databaseUrl);
  const fence = await preparePostgres(databaseUrl).catch(async (error: unknown) => {
    await lock.release();
    throw error;
  });
  const slow = createPostgresPool(databaseUrl, connections.slow, slowLimits);
  const serving = createPostgresPool(databaseUrl, connections.serving, servingLimits);
  let isServing = false;
  // Both pools end in `close`: the writer of samples uses one without Kysely.
  const end = (): Promise<void> => Promise.resolve();
  const db = new Kysely<Database>({
    dialect: new FencedPostgres({ connect: () => (isServing ? serving : slow).connect(), end }, fence),
  });
  const slowDb = new Kysely<Database>({ dialect: new FencedPostgres({ connect: () => slow.connect(), end }, fence) });
  const lockLost = Promise.race([lock.lost, fence.lost]);
  lockLost.catch(() => undefined);
  return {
    engine: 'postgres',
    pool: serving,
    fence,
    flushMs: 0,
    db,
    slowDb,
    writeQueue: createSerialQueue(),
    reserve: null,
    checkWritable: createWritableCheck({
      db,
      checkLock: async () => {
        const { rows } = await sql<{ is: string }>`SELECT current_setting('transaction_read_only') AS "is"`.execute(db);
        if (rows[0]?.is === 'on') {
          throw new TakesNoWrites('PostgreSQL has become read-only', '25006');
        }
      },
      // Its disk is another computer's.
      freeBytes: () => Infinity,
    }),
    beginServing: () => {
      isServing = true;
    },
    lockLost,
    close: async () => {
      await Promise.all([slow.end(), serving.end()]);
      await lock.release();
    },
  };
}

/** Brings the database up to date without any limit of time, and counts this process. */
async function preparePostgres(databaseUrl: string): Promise<Fence> {
  const pool = createPostgresPool(databaseUrl, connections.migrating, {});
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  try {
    const { rows } = await pool.query<{ synchronous_commit: string }>('SHOW synchronous_commit');
    if (rows[0]?.synchronous_commit === 'off') {
      throw new Error('PostgreSQL runs with synchronous_commit=off: acknowledged vitals could be lost');
    }
    await migrate(db, 'postgres');
    const counted = await pool.query<{ value: number }>(countOpening);
    return createFence(counted.rows[0]?.value ?? 0);
  } finally {
    await pool.end();
  }
}
