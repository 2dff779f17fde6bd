import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { fingerprintOf, forgetCheckIn, keepCheckIn, takeKept } from '../lib/browser/keptCheckIns';
import { serverNow } from '../lib/browser/serverClock';
import { sendCheckIn, type LinkKey } from './checkInCalls';
import { createOutbox, type Outbox, type OutboxState } from './checkInOutbox';

/** How often what waits is tried again while the page is open, in milliseconds. */
const tryAgainMs = 15_000;

/**
 * The check-ins of an opened link that wait or have arrived. They are tried again while the page is open. The year of
 * birth in `key` may be corrected meanwhile.
 */
export function useCheckInOutbox(key: LinkKey): OutboxState & Pick<Outbox, 'send' | 'tryAll'> {
  const newestKey = useRef(key);
  useEffect(() => {
    newestKey.current = key;
  }, [key]);
  const [outbox] = useState(() =>
    createOutbox({
      post: (checkIn, ageMs) => sendCheckIn(newestKey.current, checkIn, ageMs),
      phone: {
        fingerprint: () => fingerprintOf(key.secret),
        keep: keepCheckIn,
        forget: forgetCheckIn,
        take: takeKept,
      },
      now: () => Date.now(),
      // The response that opened the link said what the ward's clock shows.
      aheadMs: () => (serverNow() ?? Date.now()) - Date.now(),
      elapsed: () => performance.now(),
    }),
  );
  const state = useSyncExternalStore(outbox.subscribe, outbox.getState, outbox.getState);
  useEffect(() => {
    const { tryAll } = outbox;
    const timer = setInterval(tryAll, tryAgainMs);
    // A phone in a pocket runs no timers.
    const look = (): void => {
      if (document.visibilityState === 'visible') {
        tryAll();
      }
    };
    window.addEventListener('online', tryAll);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', tryAll);
      document.removeEventListener('visibilitychange', look);
    };
  }, [outbox]);
  return { ...state, send: outbox.send, tryAll: outbox.tryAll };
}
