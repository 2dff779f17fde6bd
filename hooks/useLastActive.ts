import { useEffect } from 'react';
import { ApiFailure } from '../lib/browser/client';
import { logError } from '../lib/log';
import { poll } from './poll';

/** The interval at which an open page is reported, in milliseconds (product spec, section 9). */
const pingEveryMs = 5_000;

/**
 * Reports to the server every 5 s that this user's page is open. A failure is logged and not shown. A page that is
 * being left logs nothing: the browser ends its calls.
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
    const note = ({ type }: Event) => {
      isLoaded = type === 'pageshow';
    };
    window.addEventListener('pagehide', note);
    window.addEventListener('pageshow', note);
    const timer = setInterval(ping, pingEveryMs);
    return () => {
      isLoaded = false;
      window.removeEventListener('pagehide', note);
      window.removeEventListener('pageshow', note);
      clearInterval(timer);
    };
  }, [userId]);
}
