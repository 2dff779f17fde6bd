import { act, render } from '@testing-library/react';
import Cookies from 'js-cookie';
import { HYDRATE } from 'next-redux-wrapper';
import { StrictMode, useEffect, type ReactNode } from 'react';
import { Provider, useSelector } from 'react-redux';
import { inventedUser } from '../test/inventedWard';
import { loginSucceeded } from './authentication/actions';
import { makeStore, type AppStore } from './index';
import type { RootState } from './reducers';
import { openSidebar } from './layout/actions';
import { selectCollapsed } from './layout/selectors';
import { pageOpened } from './session/actions';
import { selectStatus } from './session/selectors';
import { useStore } from './useStore';

const folded = makeStore().getState();
const open: RootState = { ...folded, layout: { collapsed: false } };

function Sidebar(): ReactNode {
  return useSelector(selectCollapsed) ? 'folded' : 'open';
}

function App({
  initialState,
  onStore,
}: {
  initialState: RootState | undefined;
  onStore: (store: AppStore) => void;
}): ReactNode {
  const store = useStore(initialState);
  useEffect(() => onStore(store), [onStore, store]);
  return (
    <Provider store={store}>
      <Sidebar />
    </Provider>
  );
}

/**
 * A browser has one store during the life of the page, so this is the life of one page. A warning of React fails it.
 */
it('starts as rendered, merges each page’s state, and keeps what the user opened and what is locked', () => {
  const seen = new Set<AppStore>();
  const onStore = (store: AppStore): void => void seen.add(store);
  const app = (initialState: RootState | undefined) => (
    <StrictMode>
      <App initialState={initialState} onStore={onStore} />
    </StrictMode>
  );
  const container = document.createElement('div');
  container.innerHTML = 'open';
  document.body.append(container);

  const { rerender, unmount } = render(app(open), { container, hydrate: true });
  expect(container.textContent).toBe('open');
  const [store] = seen;
  if (store === undefined) {
    throw new Error('There is no store');
  }
  expect(store.watchers?.isRunning()).toBe(true);
  const dispatch = jest.spyOn(store, 'dispatch');
  const countHydrations = () => dispatch.mock.calls.filter(([{ type }]) => type === HYDRATE).length;

  // Signed in in the browser: no page's state undoes that.
  act(() => void store.dispatch(loginSucceeded({ email: 'ada@example.org' })));
  rerender(app({ ...folded }));
  expect(countHydrations()).toBe(1);
  expect(container.textContent).toBe('folded');
  expect(store.getState().authentication).toMatchObject({ authenticated: true, email: 'ada@example.org' });

  // A navigation that began before the user opened the sidebar brings a state from before.
  act(() => void store.dispatch(openSidebar()));
  expect(Cookies.get('sidebar')).toBe('open');
  rerender(app({ ...folded }));
  expect(countHydrations()).toBe(2);
  expect(container.textContent).toBe('open');

  // Locked while a navigation was under way: the server that rendered the page did not know.
  act(() => void store.dispatch(pageOpened({ user: inventedUser(), isLocked: true })));
  rerender(app({ ...folded }));
  expect(countHydrations()).toBe(3);
  expect(selectStatus(store.getState())).toBe('locked');

  // A page without a state of its own, such as 404, changes nothing.
  rerender(app(undefined));
  expect(countHydrations()).toBe(3);
  expect(container.textContent).toBe('open');
  expect(seen.size).toBe(1);

  unmount();
  store.watchers?.cancel();
});
