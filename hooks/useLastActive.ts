import { useEffect } from 'react';
import { ApiFailure } from '../lib/browser/client';
import { logError } from '../lib/log';
import { poll } from './poll';

/** How often the server hears that a user's page is open (product spec, section 9). */
const pingEveryMs = 5_000;

/**
 * Tells the server every 5 s that this user's page is open, while there is a user. A failure is logged and not shown.
 */
export function useLastActive(userId: number | undefined): void {
  useEffect(() => {
    if (userId === undefined) {
      return undefined;
    }
    let isLoaded = true;
    const ping = () => {
      poll('updateLastActive', { params: { id: userId } }).catch((problem: unknown) => {
        if (isLoaded) {
          logError('Failed to update last active', problem instanceof ApiFailure ? problem.forLog() : undefined);
        }
      });
    };
    const timer = setInterval(ping, pingEveryMs);
    return () => {
      isLoaded = false;
      clearInterval(timer);
    };
  }, [userId]);
}
