import { useEffect } from 'react';
import { useSWRConfig } from 'swr';
import { everyMs } from '../lib/browser/workerClock';
import { lastAttemptAt } from './lastAttemptAt';

/** Polls a key by the worker's clock while the page is hidden, if SWR's own timer has not done so. */
export function useHiddenPolls(key: string | null, refreshEveryMs: number): void {
  const { cache, mutate } = useSWRConfig();
  useEffect(() => {
    if (key === null) {
      return undefined;
    }
    return everyMs(1_000, () => {
      if (document.visibilityState !== 'hidden') {
        return;
      }
      const state = cache.get(key);
      if (state?.isValidating !== true && performance.now() - lastAttemptAt(state) >= refreshEveryMs) {
        void mutate(key);
      }
    });
  }, [key, refreshEveryMs, cache, mutate]);
}
