import { useLayoutEffect, useState } from 'react';
import { hydrate, makeStore, type AppStore } from './index';
import type { RootState } from './reducers';
import { readSidebar } from './layout/sidebarCookie';
import type { OpenedPage } from './session/actions';

/** The browser has one store during the life of the page; the server creates one for every rendering. */
let browserStore: AppStore | undefined;

function storeFor(serverState: RootState | undefined, page: OpenedPage | undefined): AppStore {
  if (typeof window === 'undefined') {
    return makeStore(serverState, page);
  }
  browserStore ??= makeStore(serverState, page);
  return browserStore;
}

/**
 * Returns the page's store. Takes `pageProps.initialState` and the page's user, with whom the first rendering starts on
 * both sides. A layout effect then merges each page's state by HYDRATE: next-redux-wrapper's own hook dispatches while
 * rendering, and React warns about that on every navigation. The sidebar's own cookie is newer than the state the
 * server had when the navigation began, so a sidebar that was opened meanwhile stays open. The page's own session state
 * is not merged either.
 */
export function useStore(serverState: RootState | undefined, page?: OpenedPage): AppStore {
  const [store] = useState(() => storeFor(serverState, page));
  useLayoutEffect(() => {
    if (serverState !== undefined) {
      const { session } = store.getState();
      const collapsed = readSidebar() ?? serverState.layout.collapsed;
      store.dispatch(hydrate({ ...serverState, layout: { collapsed }, session }));
    }
  }, [store, serverState]);
  return store;
}
