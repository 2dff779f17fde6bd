import { useCallback, useEffect, useRef } from 'react';
import { useSWRConfig } from 'swr';
import { isAlertsKey } from './useAlerts';

/** How often news are asked for at most before their poll: each answer has to be drawn. */
const atMostEveryMs = 500;

/**
 * Returns what asks at once for the open alerts, where the screen shows them: at most every 500 ms however often it is called, and
 * not while nobody can see it. An answer that is on its way may be older than the news, so it is waited for and asked for again.
 */
export function useAlertsRefresh(): () => void {
  const { cache, mutate } = useSWRConfig();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const refreshedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );

  return useCallback(() => {
    const refresh = (): void => {
      timer.current = undefined;
      if (document.visibilityState === 'hidden') {
        return;
      }
      let isAwaited = false;
      void mutate((key) => {
        const isAsked = isAlertsKey(key) && cache.get(key)?.isValidating === true;
        isAwaited ||= isAsked;
        return isAlertsKey(key) && !isAsked;
      });
      if (isAwaited) {
        timer.current = setTimeout(refresh, atMostEveryMs);
      } else {
        refreshedAt.current = performance.now();
      }
    };
    // What is called for meanwhile is brought by the refresh that is due.
    timer.current ??= setTimeout(refresh, Math.max(0, refreshedAt.current + atMostEveryMs - performance.now()));
  }, [cache, mutate]);
}
