import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiFailure, ask } from '../lib/browser/client';
import { elapsedSince, thisMoment, type Moment } from '../lib/browser/serverClock';

/** Input is reported to the server at most this often, in milliseconds. */
const reportEveryMs = 60_000;
/** After a failed report the next input may report again after this time, in milliseconds. */
const reportAgainAfterMs = 5_000;
const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;
/** The key in localStorage by which a tab tells the others of its session of an input: it changes with each. */
const sharedKey = 'lastInputAt';

/** How long there was no input: until a moment of this browser, and since then. */
export interface Idle {
  beforeMs: number;
  since: Moment;
}

/** Returns how long there has been no input, in milliseconds. A step of the server's clock changes nothing in it. */
export function idleMs({ beforeMs, since }: Idle): number {
  return beforeMs + elapsedSince(since);
}

/**
 * Reports input on the page to the server, once a minute at most. Takes how long there had been no input when the page
 * was rendered, in milliseconds. Returns since when the server knows of none, and a function that reports input now.
 */
export function useIdle(initialIdleMs: number): { idle: Idle; noteInput: () => void } {
  const [idle, setIdle] = useState<Idle>(() => ({ beforeMs: Math.max(0, initialIdleMs), since: thisMoment() }));
  const reported = useRef(idle);

  const noteInput = useCallback(() => {
    const input = { beforeMs: 0, since: thisMoment() };
    reported.current = input;
    ask('noteInput', {}).then(
      () => {
        setIdle(input);
        share();
      },
      (problem: unknown) => {
        reported.current = { ...input, beforeMs: reportEveryMs - reportAgainAfterMs };
        if (problem instanceof ApiFailure && problem.status === null) {
          // There is input, although the server cannot know it. Its next response says whether it locked meanwhile.
          setIdle(input);
        }
      },
    );
  }, []);

  useEffect(() => {
    const onInput = (): void => {
      if (idleMs(reported.current) >= reportEveryMs) {
        noteInput();
      }
    };
    const onShared = ({ key, newValue }: StorageEvent): void => {
      if (key === sharedKey && newValue !== null) {
        const input = { beforeMs: 0, since: thisMoment() };
        reported.current = input;
        setIdle(input);
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

  return { idle, noteInput };
}

function share(): void {
  try {
    localStorage.setItem(sharedKey, String(Date.now()));
  } catch {
    // Without storage each tab has its own time; the server has the last one.
  }
}
