import { useCallback, useEffect, useRef } from 'react';
import { useSWRConfig } from 'swr';
import { lastAttemptAt } from './lastAttemptAt';

/**
 * Returns a function that polls every matching key of the page early: at once, but not before `gapMs` milliseconds
 * after the key's last answer. A poll that is under way may be older than the news, so the key is polled again after
 * it. SWR's merging of calls does not apply, so the gap may be shorter than that. Does nothing while the page is
 * hidden. `isKey` must stay the same function. The regular polls go on as they are.
 */
export function useEarlierPoll(isKey: (key: string) => boolean, gapMs: number): () => void {
  const { cache, mutate } = useSWRConfig();
  /** The keys that still have to be polled. */
  const waiting = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    const keys = waiting.current;
    return () => {
      clearTimeout(timer.current);
      keys.clear();
    };
  }, []);

  return useCallback(() => {
    const run = (): void => {
      clearTimeout(timer.current);
      if (document.visibilityState !== 'visible') {
        waiting.current.clear();
        return;
      }
      let nextInMs = Number.POSITIVE_INFINITY;
      for (const key of waiting.current) {
        const state = cache.get(key);
        const dueInMs = state?.isValidating === true ? gapMs : lastAttemptAt(state) + gapMs - performance.now();
        if (dueInMs <= 0) {
          waiting.current.delete(key);
          void mutate(key);
        } else {
          nextInMs = Math.min(nextInMs, dueInMs);
        }
      }
      if (waiting.current.size > 0) {
        timer.current = setTimeout(run, nextInMs);
      }
    };
    for (const key of cache.keys()) {
      if (isKey(key)) {
        waiting.current.add(key);
      }
    }
    run();
  }, [cache, mutate, isKey, gapMs]);
}
