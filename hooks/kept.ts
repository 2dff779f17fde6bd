import { useEffect, useState, useSyncExternalStore } from 'react';
import { createListeners } from '../lib/browser/listeners';

/** What a user types and the server does not have yet, outside of the DOM, as long as the page lives. */
export interface Kept<State> {
  read: () => State;
  subscribe: (onChange: () => void) => () => void;
  /** Begins to send what is typed. Returns the function that stops. */
  start: () => () => void;
  /** Forgets everything: another user has signed in. */
  forget: () => void;
}

interface Keeping<State> extends Kept<State> {
  put: (next: State) => void;
  /** Sends so many milliseconds later, instead of when it was planned, unless it is stopped. */
  later: (ms: number) => void;
  cancel: () => void;
}

/**
 * Keeps a state that begins as `empty`, and asks before the page is left with something unsaved. `send` is called at a
 * start and after `later`, and once more at a stop unless `endsUnsent`.
 */
export function createKept<State>(
  empty: State,
  { isUnsaved, send, endsUnsent }: { isUnsaved: (state: State) => boolean; send: () => void; endsUnsent?: true },
): Keeping<State> {
  let state = empty;
  let running = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const { subscribe, notify } = createListeners();
  const cancel = (): void => clearTimeout(timer);
  const askBeforeUnload = (event: BeforeUnloadEvent): void => {
    event.preventDefault();
  };
  return {
    read: () => state,
    subscribe,
    put: (next) => {
      state = next;
      // Added again it is still one listener.
      if (isUnsaved(next)) {
        window.addEventListener('beforeunload', askBeforeUnload);
      } else {
        window.removeEventListener('beforeunload', askBeforeUnload);
      }
      notify();
    },
    later: (ms) => {
      cancel();
      if (running > 0) {
        timer = setTimeout(send, ms);
      }
    },
    cancel,
    start: () => {
      running += 1;
      send();
      return () => {
        running -= 1;
        if (endsUnsent === true) {
          cancel();
        } else {
          send();
        }
      };
    },
    forget: () => {
      cancel();
      running = 0;
      window.removeEventListener('beforeunload', askBeforeUnload);
      state = empty;
    },
  };
}

/** Returns a keeper, found once, and its state, and lets it send while it is shown. In the browser only. */
export function useKept<State, Keeper extends Kept<State>>(
  find: () => Keeper & Kept<State>,
): { draft: State; keeper: Keeper } {
  const [keeper] = useState(find);
  useEffect(() => keeper.start(), [keeper]);
  return { draft: useSyncExternalStore(keeper.subscribe, keeper.read), keeper };
}
