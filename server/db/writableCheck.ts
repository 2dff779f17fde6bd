import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Database } from './schema';

/** How often a check writes, in milliseconds: each write waits for the disk. */
const writeEveryMs = 5_000;
/**
 * A disk with less room than this counts as full, in bytes. SQLite reuses the room of its journal, so a small write may
 * still fit where the next sample does not.
 */
const leastFreeBytes = 1_000_000;

interface Parts {
  db: Kysely<Database>;
  /** Rejects if another process holds the store, or it has become read-only. It writes nothing. */
  checkLock: () => Promise<void>;
  /** The room that is left, in bytes; Infinity if it cannot be known. */
  freeBytes: () => number;
  /** Gives up what is kept for a full disk. Returns false if there is nothing left of it. */
  giveUpReserve?: () => boolean;
  /** Milliseconds of a clock that is never set. */
  elapsed?: () => number;
}

/**
 * Returns the function that rejects unless the store takes writes now. Every 5 s, and after a write that failed each
 * time, it commits a write: a full or broken disk refuses nothing before it. On a full disk it gives up the reserve and
 * tries again.
 */
export function createWritableCheck({
  db,
  checkLock,
  freeBytes,
  giveUpReserve = () => false,
  elapsed = () => performance.now(),
}: Parts) {
  let wroteAt = Number.NEGATIVE_INFINITY;
  const check = async (): Promise<void> => {
    if (freeBytes() < leastFreeBytes) {
      wroteAt = Number.NEGATIVE_INFINITY;
      throw new TakesNoWrites('The disk with the data is full', 'SQLITE_FULL');
    }
    if (elapsed() - wroteAt < writeEveryMs) {
      await checkLock();
      return;
    }
    wroteAt = Number.NEGATIVE_INFINITY;
    const begunAt = elapsed();
    // A transaction, because those alone ask whether another process has opened the store since (fence.ts).
    await db.transaction().execute((transaction) =>
      sql`INSERT INTO progress (name, value) VALUES ('written', 1)
          ON CONFLICT (name) DO UPDATE SET value = (progress.value + 1) % 1000000`.execute(transaction),
    );
    wroteAt = begunAt;
  };
  return async (): Promise<void> => {
    try {
      await check();
    } catch (error) {
      if (!isFull(error) || !giveUpReserve()) {
        throw error;
      }
      await check();
    }
  };
}

const isFull = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'SQLITE_FULL';

/** The code makes it a 503 (server/http/errors), like any other store that cannot store now. */
export class TakesNoWrites extends Error {
  override readonly name = 'TakesNoWrites';

  constructor(
    message: string,
    readonly code: 'SQLITE_FULL' | '25006',
  ) {
    super(message);
  }
}
