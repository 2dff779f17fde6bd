import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiFailure, ask } from '../lib/browser/client';
import { serverNow } from '../lib/browser/serverClock';

/** Input is reported to the server at most this often, in milliseconds. */
const reportEveryMs = 60_000;
/** After a failed report the next input may report again after this time, in milliseconds. */
const reportAgainAfterMs = 5_000;
const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
/** The key in localStorage by which the tabs of a session share the time of the last input. */
const sharedKey = 'lastInputAt';

/**
 * Reports input on the page to the server, once a minute at most. Takes the time of the last input when the page was
 * rendered. Returns that time as the server knows it (both in the server's time, epoch milliseconds), and a function
 * that reports input at once.
 */
export function useIdle(lastInputAt: number): { lastInput: number; noteInput: () => void } {
  const [lastInput, setLastInput] = useState(lastInputAt);
  const reportedAt = useRef(lastInputAt);

  const noteInput = useCallback(() => {
    const now = serverNow() ?? Date.now();
    reportedAt.current = now;
    ask('noteInput', {}).then(
      ({ serverTime }) => {
        const at = serverTime ?? now;
        setLastInput(at);
        share(at);
      },
      (problem: unknown) => {
        reportedAt.current = now - reportEveryMs + reportAgainAfterMs;
        if (problem instanceof ApiFailure && problem.status === null) {
          // There is input, although the server cannot know it. Its next response says whether it locked meanwhile.
          setLastInput(now);
        }
      },
    );
  }, []);

  useEffect(() => {
    const onInput = (): void => {
      if ((serverNow() ?? Date.now()) - reportedAt.current >= reportEveryMs) {
        noteInput();
      }
    };
    const onShared = ({ key, newValue }: StorageEvent): void => {
      const at = key === sharedKey ? Number(newValue) : Number.NaN;
      if (at > reportedAt.current) {
        reportedAt.current = at;
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
  }, [noteInput]);

  return { lastInput, noteInput };
}

function share(at: number): void {
  try {
    localStorage.setItem(sharedKey, String(at));
  } catch {
    // Without storage each tab has its own time; the server has the last one.
  }
}
