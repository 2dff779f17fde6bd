import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiFailure, ask } from '../lib/browser/client';
import { serverNow } from '../lib/browser/serverClock';

/** The server hears of input this often at most. */
const tellEveryMs = 60_000;
/** After a call that failed the next input tells again this soon. */
const tellAgainAfterMs = 5_000;
const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
/** By this key the tabs of a browser, which share a session, hear of each other's input. */
const sharedKey = 'lastInputAt';

/**
 * Tells the server that somebody touches the page, once a minute at most. Takes when that last was as the page came,
 * and returns when it was as the server knows it (both the server's time, epoch milliseconds), and a function that
 * tells at once.
 */
export function useIdle(lastInputAt: number): { lastInput: number; tell: () => void } {
  const [lastInput, setLastInput] = useState(lastInputAt);
  const told = useRef(lastInputAt);

  const tell = useCallback(() => {
    const now = serverNow() ?? Date.now();
    told.current = now;
    ask('noteInput', {}).then(
      ({ serverTime }) => {
        const at = serverTime ?? now;
        setLastInput(at);
        share(at);
      },
      (problem: unknown) => {
        told.current = now - tellEveryMs + tellAgainAfterMs;
        if (problem instanceof ApiFailure && problem.status === null) {
          // Somebody is here, although the server cannot hear it: it says itself whether it locked meanwhile.
          setLastInput(now);
        }
      },
    );
  }, []);

  useEffect(() => {
    const onInput = (): void => {
      if ((serverNow() ?? Date.now()) - told.current >= tellEveryMs) {
        tell();
      }
    };
    const onShared = ({ key, newValue }: StorageEvent): void => {
      const at = key === sharedKey ? Number(newValue) : Number.NaN;
      if (at > told.current) {
        told.current = at;
        setLastInput(at);
      }
    };
    for (const input of inputs) {
      window.addEventListener(input, onInput, { capture: true, passive: true });
    }
    window.addEventListener('storage', onShared);
    return () => {
      for (const input of inputs) {
        window.removeEventListener(input, onInput, { capture: true });
      }
      window.removeEventListener('storage', onShared);
    };
  }, [tell]);

  return { lastInput, tell };
}

function share(at: number): void {
  try {
    localStorage.setItem(sharedKey, String(at));
  } catch {
    // Without storage each tab counts for itself; the server has heard it.
  }
}
