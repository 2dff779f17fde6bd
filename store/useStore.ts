import { useLayoutEffect, useState } from 'react';
import { hydrate, makeStore, type AppStore } from './index';
import type { RootState } from './reducers';
import { readSidebar } from './layout/sidebarCookie';
import type { OpenedPage } from './session/actions';

/** The browser has one store for as long as the page lives; the server makes one for every rendering. */
let browserStore: AppStore | undefined;

function storeFor(serverState: RootState | undefined, page: OpenedPage | undefined): AppStore {
  if (typeof window === 'undefined') {
    return makeStore(serverState, page);
  }
  browserStore ??= makeStore(serverState, page);
  return browserStore;
}

/**
 * The page's store. Takes `pageProps.initialState` and the page's user, with whom the first rendering starts on both
 * sides. Each page's
 * state is then folded in by HYDRATE from a layout effect: next-redux-wrapper's own hook dispatches while rendering,
 * which React warns about on every navigation. The sidebar's own cookie is newer than what the server saw when the
 * navigation began, so a sidebar that was opened meanwhile stays open; how the page stands to its session
 * only the page knows.
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
