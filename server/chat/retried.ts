/** How long after a failure the next attempt comes, in milliseconds. */
const pausesMs = [5_000, 30_000, 120_000, 600_000, 1_200_000];

/** Waits in the background: a process that stops is not held up. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

/**
 * Does something until it succeeds, with growing pauses, and says whether it did. It is given up after half an hour, or
 * once `isOver` says that it is no longer wanted.
 */
export async function retried(
  work: () => Promise<void>,
  isOver: () => boolean,
  wait: (ms: number) => Promise<void> = pause,
): Promise<boolean> {
  for (const ms of [...pausesMs, null]) {
    try {
      await work();
      return true;
    } catch {
      if (ms === null || isOver()) {
        return false;
      }
      await wait(ms);
      if (isOver()) {
        return false;
      }
    }
  }
  return false;
}
