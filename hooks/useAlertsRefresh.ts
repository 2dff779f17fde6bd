import { useCallback } from 'react';
import { useSWRConfig } from 'swr';
import { isAlertsKey } from './useAlerts';
import { useAtMostEvery } from './useAtMostEvery';

/** How often news are asked for at most before their poll: each answer has to be drawn. */
const atMostEveryMs = 500;

/**
 * Returns what asks at once for the open alerts, where the screen shows them: at most every 500 ms however often it is
 * called, and not while nobody can see it. An answer that is on its way may be older than the news, so it is waited for
 * and asked for again.
 */
export function useAlertsRefresh(): () => void {
  const { cache, mutate } = useSWRConfig();
  const refresh = useCallback(() => {
    let isAwaited = false;
    void mutate((key) => {
      const isAsked = isAlertsKey(key) && cache.get(key)?.isValidating === true;
      isAwaited ||= isAsked;
      return isAlertsKey(key) && !isAsked;
    });
    return isAwaited ? 'again' : 'done';
  }, [cache, mutate]);
  return useAtMostEvery(atMostEveryMs, refresh);
}
