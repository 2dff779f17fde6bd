import type { EpochMs } from '../lib/time/epochMs';
import type { Store } from './db/open';

/** Notes whether the store takes writes. */
export interface StorageWatch {
  /** Notes that the server begins to work: the start has stored something. */
  started(): void;
  /** Resolves if the store takes writes now, and notes that; else rejects. */
  check(): Promise<void>;
  /** Returns since when nothing could be stored, once that is more than 10 s ago; else null. */
  notStoredSince(): EpochMs | null;
}

/** A check comes every second. In milliseconds. */
const missedAfterMs = 10_000;

/**
 * Creates the watch. It keeps what has elapsed on a clock that is never set (`elapsed`, in milliseconds), so that its
 * instants move with the wall clock (`now`) and no step of that hides a stop.
 */
export function createStorageWatch(
  { checkWritable }: Pick<Store, 'checkWritable'>,
  now: () => EpochMs,
  elapsed: () => number,
): StorageWatch {
  let storedAt = elapsed();
  return {
    started: () => {
      storedAt = elapsed();
    },
    check: async () => {
      const begunAt = elapsed();
      await checkWritable();
      // One that hung for long says nothing about now.
      storedAt = Math.max(storedAt, begunAt);
    },
    notStoredSince: () => {
      const since = elapsed() - storedAt;
      return since > missedAfterMs ? Math.round(now() - since) : null;
    },
  };
}
