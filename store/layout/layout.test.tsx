import { act, render } from '@testing-library/react';
import Cookies from 'js-cookie';
import { HYDRATE } from 'next-redux-wrapper';
import { type ReactNode, StrictMode, useEffect } from 'react';
import { Provider, useSelector } from 'react-redux';
import { inventedUser } from '../../test/inventedWard';
import * as types from '../actionTypes';
import { loginSucceeded } from '../authentication/actions';
import { type AppStore, makeStore } from '../index';
import type { RootState } from '../reducers';
import { pageOpened } from '../session/actions';
import { selectStatus } from '../session/selectors';
import { useStore } from '../useStore';
import { closeSidebar, openSidebar, toggleSidebar } from './actions';
import { layoutReducer } from './reducer';
import { selectCollapsed } from './selectors';
import { parseSidebar, readSidebar } from './sidebarCookie';

describe('reducer', () => {
  describe('layout', () => {
    it('starts with the sidebar folded', () => {
      expect(layoutReducer(undefined, { type: 'SOMETHING_ELSE' })).toEqual({ collapsed: true });
    });

    it.each([
      [types.TOGGLE_SIDEBAR, true, false],
      [types.TOGGLE_SIDEBAR, false, true],
      [types.OPEN_SIDEBAR, true, false],
      [types.OPEN_SIDEBAR, false, false],
      [types.CLOSE_SIDEBAR, true, true],
      [types.CLOSE_SIDEBAR, false, true],
      [types.LOGIN_STARTED, true, true],
      [types.REMOVE_USER_INFO, false, false],
    ])('%s turns collapsed %s into %s', (type, before, after) => {
      expect(layoutReducer({ collapsed: before }, { type })).toEqual({ collapsed: after });
    });
  });
});

describe('saga', () => {
  describe('the sidebar', () => {
    it('keeps in its cookie how its user left it, at once', () => {
      Cookies.remove('sidebar');
      const store = makeStore();
      expect(readSidebar()).toBeNull();
      store.dispatch(openSidebar());
      expect(readSidebar()).toBe(false);
      store.dispatch(toggleSidebar());
      expect(readSidebar()).toBe(true);
      store.dispatch(toggleSidebar());
      expect(readSidebar()).toBe(false);
      store.dispatch(closeSidebar());
      expect(readSidebar()).toBe(true);
      store.watchers?.cancel();
    });
  });
});

describe('sidebarCookie', () => {
  describe('the sidebar cookie', () => {
    it.each([[undefined], [''], ['true'], ['OPEN'], ['open;'], ['__proto__']])(
      'says nothing when it holds %j',
      (value) => {
        expect(parseSidebar(value)).toBeNull();
      },
    );

    it.each([
      ['open', false],
      ['collapsed', true],
    ])('%s means collapsed %s', (value, collapsed) => {
      expect(parseSidebar(value)).toBe(collapsed);
    });
  });
});

describe('useStore', () => {
  beforeEach(() => Cookies.remove('sidebar'));

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
});
