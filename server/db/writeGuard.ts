import type BetterSqlite3 from 'better-sqlite3';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import { keptStatements } from './keptStatements';

/** While another process holds the file, one write in this time tries it, in milliseconds. */
const trialEveryMs = 1_000;

/**
 * Another process holds the SQLite file, so nothing was written. The code makes it a 503 (server/http/errors) like any
 * other store that cannot store now.
 */
export class FileLocked extends Error {
  override readonly name = 'FileLocked';
  readonly code = 'SQLITE_BUSY';

  constructor() {
    super('Another process holds the database');
  }
}

/** Keeps writes away from a SQLite file that another process has locked (clinical.md section 0, P5). */
export interface WriteGuard {
  /** Runs a write. Throws `FileLocked` if the file is locked; for a second after that all others are not even tried. */
  write<Result>(work: () => Result): Result;
}

/**
 * Creates a guard. SQLite waits for a lock in the thread that also answers every request, so one write a second may
 * find out whether the file is still locked, and all others are refused at once. `elapsed` is in milliseconds, of a
 * clock that is never set.
 */
export function createWriteGuard(elapsed: () => number = () => performance.now()): WriteGuard {
  let refusedAt: number | null = null;
  return {
    write: (work) => {
      if (refusedAt !== null && elapsed() - refusedAt < trialEveryMs) {
        throw new FileLocked();
      }
      const begun = elapsed();
      try {
        const result = work();
        refusedAt = null;
        return result;
      } catch (error) {
        if (!isLocked(error)) {
          throw error;
        }
        refusedAt = begun;
        throw new FileLocked();
      }
    },
  };
}

/**
 * SQLITE_BUSY_SNAPSHOT is another case: no process holds the file, but another one wrote since this transaction began
 * to read.
 */
function isLocked(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'SQLITE_BUSY' || error.code === 'SQLITE_BUSY_RECOVERY')
  );
}

/**
 * Returns the database for Kysely, with its writes behind the guard; `askFence` is called before each commit, which has
 * the lock then. Reads are not held up by a writer (WAL).
 */
export function guardedDatabase(
  sqlite: BetterSqlite3.Database,
  guard: WriteGuard,
  askFence: () => void,
): SqliteDatabase {
  const prepare = (text: string): SqliteStatement => {
    const statement = sqlite.prepare(text);
    if (/^commit$/i.test(text)) {
      const { reader } = statement;
      const run: typeof statement.run = (parameters) => {
        askFence();
        return statement.run(parameters);
      };
      return { reader, run, all: (parameters) => statement.all(parameters), iterate: (p) => statement.iterate(p) };
    }
    if (/^rollback$/i.test(text)) {
      // SQLite may have rolled back by itself, as on a full disk. A second rollback is a fault that hides the first.
      const { reader } = statement;
      const run: typeof statement.run = (parameters) =>
        sqlite.inTransaction ? statement.run(parameters) : { changes: 0, lastInsertRowid: 0 };
      return { reader, run, all: (parameters) => statement.all(parameters), iterate: (p) => statement.iterate(p) };
    }
    // BEGIN, COMMIT and ROLLBACK are read-only to SQLite: a transaction that has begun to write can always end.
    return statement.readonly
      ? statement
      : {
          reader: statement.reader,
          all: (parameters) => guard.write(() => statement.all(parameters)),
          run: (parameters) => guard.write(() => statement.run(parameters)),
          iterate: (parameters) => statement.iterate(parameters),
        };
  };
  return {
    close: () => {
      sqlite.close();
    },
    prepare: keptStatements(prepare),
  };
}
