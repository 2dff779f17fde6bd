import Router from 'next/router';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiFailure } from '../lib/browser/client';
import { loadPage } from '../lib/browser/loadPage';
import { saveDrafts } from './keptTexts';
import { poll } from './poll';
import { useServerLost } from './useServerLost';

/** How often the server is asked whether it answers again, in milliseconds. */
const askEveryMs = 1_000;
/** If a page does not come this long after the server answers again, the browser loads it. In milliseconds. */
const stuckAfterMs = 3_000;

/** A user whom the browser asked about unsaved text, and who is still here, has stayed. In milliseconds. */
const stayedAfterMs = 5_000;

type State =
  | { is: 'idle' }
  /** The page is being fetched. */
  | { is: 'waiting'; address: string }
  /** The server could not be reached when the page was to be fetched. */
  | { is: 'blocked'; address: string };

const idle: State = { is: 'idle' };

export interface Opening {
  /** A page is being fetched. */
  isWaiting: boolean;
  /** The page waits for a server that does not answer. */
  isHeld: boolean;
  /** Stays on this page; null if there is nothing to call off. */
  stay: (() => void) | null;
}

/**
 * Follows the navigations of the page. While the server is out of reach a link stays on the page, and the wanted page
 * opens as soon as the server answers (screens.md section 6). Next itself would leave for the address, and the browser
 * would show its own error page, which never heals.
 */
export function useOpening(): Opening {
  const [state, setState] = useState<State>(idle);
  /** The address that was tried again since the server answered. */
  const retried = useRef<string | null>(null);
  // An object of each failure: a second one may come before the first navigation is drawn.
  const blocked = state.is === 'blocked' ? state : null;
  const awaited = state.is === 'waiting' ? state.address : null;
  const isLost = useServerLost() !== null;

  const leaveFor = useCallback(async (address: string): Promise<void> => {
    // What is typed is in this page alone.
    await saveDrafts();
    loadPage(address);
    setTimeout(() => setState(idle), stayedAfterMs);
  }, []);

  useEffect(() => {
    const onStart = (address: string, { shallow }: { shallow: boolean }): void => {
      if (!shallow) {
        setState({ is: 'waiting', address });
      }
    };
    const onComplete = (): void => {
      retried.current = null;
      setState(idle);
    };
    const onError = (error: unknown, address: string): void => {
      if (isCancelled(error)) {
        // Usually another navigation took its place, which has begun already.
        setState((now) => (now.is === 'waiting' && now.address === address ? idle : now));
        return;
      }
      setState({ is: 'blocked', address });
      // Next leaves for the address after this event, unless a listener throws. It takes this error for its own.
      throw Object.assign(new Error('The page opens as soon as the server answers'), { cancelled: true });
    };
    Router.events.on('routeChangeStart', onStart);
    Router.events.on('routeChangeComplete', onComplete);
    Router.events.on('routeChangeError', onError);
    return () => {
      Router.events.off('routeChangeStart', onStart);
      Router.events.off('routeChangeComplete', onComplete);
      Router.events.off('routeChangeError', onError);
    };
  }, []);

  useEffect(() => {
    if (blocked === null) {
      return undefined;
    }
    const { address } = blocked;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const ask = async (): Promise<void> => {
      const isBack = await doesServerAnswer();
      if (isOver) {
        return;
      }
      if (!isBack) {
        timer = setTimeout(() => void ask(), askEveryMs);
      } else if (retried.current === address) {
        // The server answers and the page still fails: the browser shows what the server says.
        await leaveFor(address);
      } else {
        retried.current = address;
        void (Router.asPath === address ? Router.replace(address) : Router.push(address));
      }
    };
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [blocked, leaveFor]);

  // A server that hangs holds the response back, perhaps for ever.
  const stuck = useRef<string | null>(null);
  useEffect(() => {
    if (awaited === null || isLost) {
      stuck.current = awaited;
      return undefined;
    }
    if (stuck.current !== awaited) {
      return undefined;
    }
    const timer = setTimeout(() => void leaveFor(awaited), stuckAfterMs);
    return () => {
      clearTimeout(timer);
    };
  }, [awaited, isLost, leaveFor]);

  const stay = useCallback(() => {
    retried.current = null;
    setState(idle);
  }, []);
  return {
    isWaiting: awaited !== null,
    isHeld: blocked !== null || (awaited !== null && isLost),
    stay: blocked === null ? null : stay,
  };
}

function isCancelled(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'cancelled' in error && error.cancelled === true;
}

/** Whether the server itself answers, also with a refusal. A proxy without its server answers with 502 to 504. */
async function doesServerAnswer(): Promise<boolean> {
  try {
    await poll('checkAlertPath', {});
    return true;
  } catch (problem) {
    return problem instanceof ApiFailure && problem.status !== null && problem.status < 500;
  }
}
