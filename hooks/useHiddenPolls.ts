import { useEffect } from 'react';
import { useSWRConfig } from 'swr';
import { everyMs } from '../lib/browser/workerClock';
import { refreshEveryMs } from './swrConfig';
import { lastAttemptAt } from './useReadState';

/** Polls a key by the worker's clock while the page is hidden, if SWR's own timer has not done so. */
export function useHiddenPolls(key: string | null): void {
  const { cache, mutate } = useSWRConfig();
  useEffect(() => {
    if (key === null) {
      return undefined;
    }
    return everyMs(1_000, () => {
      const state = cache.get(key);
      const isDue = state?.isValidating !== true && performance.now() - lastAttemptAt(state) >= refreshEveryMs;
      if (document.visibilityState === 'hidden' && isDue) {
        void mutate(key);
      }
    });
  }, [key, cache, mutate]);
}
