/** Another process has opened the database since: what this one holds in memory is old. */
class TakenOver extends Error {
  override readonly name = 'TakenOver';
  /** The code makes it a 503 (server/http/errors): what was sent must not be taken for stored. */
  readonly code = 'TAKEN_OVER';

  constructor() {
    super('Another Wardlight has opened this database since: this one stores nothing any more');
  }
}

/**
 * Keeps a process from writing once another one has opened the database. Each process counts a number in the store on
 * when it opens it, and every transaction checks before its commit that the number is still its own.
 */
export interface Fence {
  /** Throws `TakenOver` unless the number in the store, read in the transaction that is to commit, is its own. */
  check(stored: number | undefined): void;
  /** Returns whether a transaction was kept from committing. */
  isLost(): boolean;
  /** Rejects then. */
  lost: Promise<never>;
}

/** Counts this process. Kysely's `sql.raw` takes it. The row is there from the first start on. */
export const countOpening = `INSERT INTO progress (name, value) VALUES ('opened', 1)
  ON CONFLICT (name) DO UPDATE SET value = progress.value + 1 RETURNING value`;
export const readOpening = `SELECT value FROM progress WHERE name = 'opened'`;

/** Creates the fence of the process that was counted with the number `epoch`. */
export function createFence(epoch: number): Fence {
  let lose: (error: TakenOver) => void = () => undefined;
  const lost = new Promise<never>((_, reject) => {
    lose = reject;
  });
  lost.catch(() => undefined);
  let isLost = false;
  return {
    lost,
    isLost: () => isLost,
    check: (stored) => {
      if (stored !== epoch) {
        const error = new TakenOver();
        isLost = true;
        lose(error);
        throw error;
      }
    },
  };
}
