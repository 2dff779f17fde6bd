import type { EpochMs } from '../lib/time/epochMs';
import type { Store } from './db/open';

/** Notes whether the store takes writes. */
export interface StorageWatch {
  /** Notes that the server begins to work: the start has stored something. */
  started(): void;
  /** Resolves if the store takes writes now, and notes that; else rejects. */
  check(): Promise<void>;
  /**
   * Returns since when nothing could be stored, once that is more than 10 s ago; else null. If the first check since
   * the start failed it is since the start, at once: before it, nothing may have been stored for long.
   */
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
  /** Null: not checked since the start. */
  let hasStored: boolean | null = null;
  return {
    started: () => {
      storedAt = elapsed();
    },
    check: async () => {
      const begunAt = elapsed();
      try {
        await checkWritable();
      } catch (error) {
        hasStored ??= false;
        throw error;
      }
      hasStored = true;
      // One that hung for long says nothing about now.
      storedAt = Math.max(storedAt, begunAt);
    },
    notStoredSince: () => {
      const since = elapsed() - storedAt;
      const isMissed = since > missedAfterMs || hasStored === false;
      return isMissed ? Math.round(now() - since) : null;
    },
  };
}
