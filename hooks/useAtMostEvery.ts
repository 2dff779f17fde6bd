import { useCallback, useEffect, useRef } from 'react';

/**
 * Returns what does some work soon: at most every `ms` milliseconds however often it is called, and not while nobody
 * can see the page. `work` stays the same function; it says `again` where it could not be done yet.
 */
export function useAtMostEvery(ms: number, work: () => 'done' | 'again'): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const doneAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );

  return useCallback(() => {
    const run = (): void => {
      timer.current = undefined;
      if (document.visibilityState !== 'visible') {
        return;
      }
      if (work() === 'again') {
        timer.current = setTimeout(run, ms);
      } else {
        doneAt.current = performance.now();
      }
    };
    // What is called for meanwhile is brought by the work that is due.
    timer.current ??= setTimeout(run, Math.max(0, doneAt.current + ms - performance.now()));
  }, [ms, work]);
}
