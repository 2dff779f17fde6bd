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
