import { useEffect } from 'react';
import { poll } from './poll';
import { refreshEveryMs } from './swrConfig';

/**
 * Asks the server every 5 s whether alerts run, for a screen that makes no other call. The response's headers say it
 * (lib/browser/alertPath), those of a refused call as well. A failure is not shown: a screen without values cannot be
 * out of date.
 */
export function useAlertPathPoll(): void {
  useEffect(() => {
    const check = (): void => {
      poll('checkAlertPath', {}).catch(() => undefined);
    };
    check();
    const timer = setInterval(check, refreshEveryMs);
    return () => {
      clearInterval(timer);
    };
  }, []);
}
