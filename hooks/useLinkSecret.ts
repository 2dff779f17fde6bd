import Router from 'next/router';
import { useCallback, useEffect, useState } from 'react';

export interface LinkSecret {
  /** Null if the link has none; undefined until the browser has read the address. */
  secret: string | null | undefined;
  /** Drops the secret, for example of a link that no longer works. */
  forget: () => void;
}

/**
 * Returns the one-time secret that a link carries behind its `#`, where no server sees it. It is removed from the
 * address at once, so that neither the address bar nor the history nor a reload shows it to the next person at this
 * computer. `name` is its parameter there; null: nothing but the secret is there.
 */
export function useLinkSecret(name: string | null): LinkSecret {
  const [secret, setSecret] = useState<string | null>();
  useEffect(() => {
    const take = (): void => {
      const found = takeSecret(name);
      setSecret((before) => found ?? before ?? null);
    };
    take();
    // A link that is pasted over the page's own address changes only what follows the # and loads nothing.
    window.addEventListener('hashchange', take);
    return () => window.removeEventListener('hashchange', take);
  }, [name]);
  const forget = useCallback(() => {
    setSecret(null);
  }, []);
  return { secret, forget };
}

function takeSecret(name: string | null): string | null {
  const { hash, pathname, search } = window.location;
  if (hash === '') {
    return null;
  }
  const bare = pathname + search;
  const state: unknown = window.history.state;
  window.history.replaceState(typeof state === 'object' && state !== null ? { ...state, as: bare } : state, '', bare);
  // Next keeps the whole address, and puts it into the address of the sign-in page when a session ends.
  Router.replace(bare, undefined, { shallow: true, scroll: false }).catch(() => undefined);
  return name === null ? hash.slice(1) : new URLSearchParams(hash.slice(1)).get(name);
}
