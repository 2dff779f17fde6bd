import { useLayoutEffect, useState } from 'react';
import { hydrate, makeStore, type AppStore, type RootState } from './index';
import { readSidebar } from './layout/sidebarCookie';

/** The browser has one store for as long as the page lives; the server makes one for every rendering. */
let browserStore: AppStore | undefined;

function storeFor(serverState: RootState | undefined): AppStore {
  if (typeof window === 'undefined') {
    return makeStore(serverState);
  }
  browserStore ??= makeStore(serverState);
  return browserStore;
}

/**
 * The page's store. Takes `pageProps.initialState`, with which the first rendering starts on both sides. Each page's
 * state is then folded in by HYDRATE from a layout effect: next-redux-wrapper's own hook dispatches while rendering,
 * which React warns about on every navigation. The sidebar's own cookie is newer than what the server saw when the
 * navigation began, so a sidebar that was opened meanwhile stays open.
 */
export function useStore(serverState: RootState | undefined): AppStore {
  const [store] = useState(() => storeFor(serverState));
  useLayoutEffect(() => {
    if (serverState !== undefined) {
      store.dispatch(hydrate({ ...serverState, layout: { collapsed: readSidebar() ?? serverState.layout.collapsed } }));
    }
  }, [store, serverState]);
  return store;
}
