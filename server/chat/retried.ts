/** The pauses before the next attempts, in milliseconds. */
const pausesMs = [5_000, 30_000, 120_000, 600_000, 1_200_000];

/** Waits without keeping the process alive. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}

/**
 * Repeats work with growing pauses until it succeeds, and returns whether it did. Gives up after half an hour, or when
 * `isOver` returns true.
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
