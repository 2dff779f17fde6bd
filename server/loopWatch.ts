/** How often the watch looks, in milliseconds: a shorter stall may pass between two looks. */
export const lookEveryMs = 50;
/** A longer one is a fault: calls, samples and alerts waited for it. */
const stallMs = 200;

/**
 * Creates a watch over the thread that answers every call. Call it every 50 ms: it returns for how long the thread was
 * busy with one thing, in milliseconds, if that was more than 200, else null. A process that was paused looks the same.
 */
export function createLoopWatch(elapsed: () => number): () => number | null {
  let dueAt = elapsed() + lookEveryMs;
  return () => {
    const at = elapsed();
    const lateMs = Math.round(at - dueAt);
    dueAt = at + lookEveryMs;
    return lateMs > stallMs ? lateMs : null;
  };
}

/** Once in this time the log says how often the thread stalled: a busy machine would fill a disk with it. */
const saidEveryMs = 60_000;

/** Stalls since the log last said so. */
interface Stalls {
  stalls: number;
  longestMs: number;
}

/**
 * Returns a function that takes each result of the watch and returns what to log of all stalls since the last time, or
 * null: the first stall at once, and then no more than a line a minute.
 */
export function createStallLog(elapsed: () => number): (ms: number | null) => Stalls | null {
  let saidAt = -Infinity;
  let unsaid: Stalls = { stalls: 0, longestMs: 0 };
  return (ms) => {
    if (ms !== null) {
      unsaid = { stalls: unsaid.stalls + 1, longestMs: Math.max(unsaid.longestMs, ms) };
    }
    if (unsaid.stalls === 0 || elapsed() - saidAt < saidEveryMs) {
      return null;
    }
    const said = unsaid;
    saidAt = elapsed();
    unsaid = { stalls: 0, longestMs: 0 };
    return said;
  };
}
