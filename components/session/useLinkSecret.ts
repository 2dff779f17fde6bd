import Router from 'next/router';
import { useCallback, useEffect, useState } from 'react';

export interface LinkSecret {
  /** Null where the link brought none; undefined until the browser has looked. */
  secret: string | null | undefined;
  /** Throws it away, as after a link that no longer works. */
  forget: () => void;
}

/**
 * The one-use secret that a link carries behind its `#`, where no server sees it. It is taken out of the address at
 * once, so that neither the address bar nor the history nor a reload shows it to the next person at this computer.
 */
export function useLinkSecret(name: string): LinkSecret {
  const [secret, setSecret] = useState<string | null>();
  useEffect(() => {
    const take = (): void => {
      const found = takeSecret(name);
      setSecret((before) => found ?? before ?? null);
    };
    take();
    // A link that is pasted over the page's own address changes what stands behind the # and loads nothing.
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, [name]);
  const forget = useCallback(() => {
    setSecret(null);
  }, []);
  return { secret, forget };
}

function takeSecret(name: string): string | null {
  const { hash, pathname, search } = window.location;
  if (hash === '') {
    return null;
  }
  const bare = pathname + search;
  const state: unknown = window.history.state;
  window.history.replaceState(typeof state === 'object' && state !== null ? { ...state, as: bare } : state, '', bare);
  // Next remembers the whole address, and what it remembers goes into the address of the sign-in page when a session
  // ends.
  Router.replace(bare, undefined, { shallow: true, scroll: false }).catch(() => undefined);
  return new URLSearchParams(hash.slice(1)).get(name);
}
