import { useEffect } from 'react';
import { ApiFailure } from '../lib/browser/client';
import { everyMs } from '../lib/browser/workerClock';
import { logError } from '../lib/log';
import { poll } from './poll';

/** The interval at which an open page is reported, in milliseconds (product spec, section 9). */
const pingEveryMs = 5_000;

/**
 * Reports to the server every 5 s that this user's page is open, also in a hidden tab. A failure is logged and not
 * shown. A page that is being left logs nothing: the browser ends its calls.
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
    const stop = everyMs(pingEveryMs, ping);
    return () => {
      isLoaded = false;
      window.removeEventListener('pagehide', note);
      window.removeEventListener('pageshow', note);
      stop();
    };
  }, [userId]);
}
