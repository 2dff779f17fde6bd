import path from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import pg from 'pg';
import { reachable } from './postgresPool';

/** The key of the advisory lock: an arbitrary number that must stay the same in every release. */
const advisoryLock = 7_241_908;
const retryMs = 1_000;
/** In milliseconds, as for the queries of the server (open.ts). */
const lockLimits = { statement_timeout: 5_000, query_timeout: 6_000 };

const taken = (where: string): Error =>
  new Error(`Another Wardlight already runs on ${where}. One process serves one database: stop the other one first.`);

/**
 * Holds an exclusive lock on a folder until the returned function is called. The lock is a transaction on a small
 * SQLite file, because the operating system ends it however the process dies. Throws `busy` if another process holds
 * it.
 */
export function holdFileLock(
  Sqlite: typeof BetterSqlite3,
  folder: string,
  busy: Error = taken(`the data folder ${folder}`),
): () => void {
  const file = new Sqlite(path.join(folder, 'wardlight.lock'), { timeout: 0 });
  try {
    file.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    throw error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY' ? busy : error;
  }
  return () => {
    file.close();
  };
}

/**
 * Holds PostgreSQL's advisory lock on its own connection. If that connection breaks (a database restart), the lock is
 * taken again; `lost` rejects if another process was faster.
 */
export async function holdPostgresLock(
  databaseUrl: string,
): Promise<{ lost: Promise<never>; release(): Promise<void> }> {
  let released = false;
  let client = await lockOnce(databaseUrl);
  const lost = new Promise<never>((_, reject) => {
    const watch = (): void => {
      let retrying = false;
      const again = (): void => {
        if (released || retrying) {
          return;
        }
        retrying = true;
        void retake(databaseUrl, () => released).then((next) => {
          if (next === 'taken') {
            reject(taken('this database'));
          } else if (next !== 'released') {
            client = next;
            watch();
          }
        });
      };
      client.on('error', again);
      client.on('end', again);
    };
    watch();
  });
  lost.catch(() => undefined);
  return {
    lost,
    release: async () => {
      released = true;
      await client.end().catch(() => undefined);
    },
  };
}

async function retake(databaseUrl: string, isReleased: () => boolean): Promise<pg.Client | 'taken' | 'released'> {
  while (!isReleased()) {
    await new Promise((resolve) => setTimeout(resolve, retryMs));
    try {
      return await lockOnce(databaseUrl);
    } catch (error) {
      if (error instanceof Error && error.message.startsWith('Another Wardlight')) {
        return 'taken';
      }
      // The database is not back yet: try again.
    }
  }
  return 'released';
}

async function lockOnce(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'wardlight-lock',
    ...reachable,
    ...lockLimits,
  });
  // A connection that breaks here fails the query, too; without a listener it would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      advisoryLock,
    ]);
    if (rows[0]?.locked !== true) {
      throw taken('this database');
    }
    return client;
  } catch (error) {
    // Not awaited: a frozen database does not take part in it.
    void client.end().catch(() => undefined);
    throw error;
  }
}
