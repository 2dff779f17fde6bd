import { act, renderHook } from '@testing-library/react';
import Router from 'next/router';
import { Provider } from 'react-redux';
import { SWRConfig, useSWRConfig } from 'swr';
import type { User } from '../lib/session/schema';
import { makeStore } from '../store/index';
import { inventedUser } from '../test/inventedWard';
import { swrConfig } from './swrConfig';
import { useBreakGlass } from './useBreakGlass';
import { useCurrentUser } from './useCurrentUser';
import { usePageUser } from './usePageUser';
import { useSidebar } from './useSidebar';

jest.mock('./useCurrentUser');
jest.mock('next/router', () => ({ __esModule: true, default: { asPath: '/patients?unit=East', replace: jest.fn() } }));

describe('usePageUser', () => {
  const ada = inventedUser({ id: 7, fname: 'Ada' });

  describe('the user of a page', () => {
    it.each([
      ['the store shows no user', null],
      ['the store still has another user', inventedUser({ id: 8, fname: 'Bea' })],
    ])('is that of the page while %s', (_, user) => {
      jest.mocked(useCurrentUser).mockReturnValue({ user } as never);
      expect(renderHook(() => usePageUser(ada)).result.current).toBe(ada);
    });

    it('is that of the store, because their permissions may have changed', () => {
      const newer = { ...ada, isAdmin: true };
      jest.mocked(useCurrentUser).mockReturnValue({ user: newer } as never);
      expect(renderHook(() => usePageUser(ada)).result.current).toBe(newer);
    });
  });
});

describe('useBreakGlass', () => {
  const until = '2026-03-07T16:00:00.000Z';
  const user = inventedUser();
  const opened: User = { ...user, breakGlassUntil: until };
  const refresh = jest.fn(() => Promise.resolve());

  /** The page was rendered for `pageUser`, and the store has `current`. */
  function see(pageUser: User, current: User) {
    const know = (known: User): void => {
      jest.mocked(useCurrentUser).mockReturnValue({
        user: known,
        status: 'signedIn',
        lockedUser: null,
        lock: () => Promise.resolve(),
        unlock: () => Promise.resolve(null),
        refresh,
        updateUserInfo: () => undefined,
        giveUpSignOut: () => Promise.resolve(),
        signOut: () => Promise.resolve(null),
      });
    };
    know(current);
    const hook = renderHook(({ page }) => ({ glass: useBreakGlass(page), cache: useSWRConfig().cache }), {
      initialProps: { page: pageUser },
      wrapper: ({ children }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>,
    });
    return {
      glass: () => hook.result.current.glass,
      cache: () => hook.result.current.cache,
      come: (page: User, known: User) => {
        know(known);
        hook.rerender({ page });
      },
    };
  }

  beforeEach(() => {
    refresh.mockClear();
    jest.mocked(Router.replace).mockReset().mockResolvedValue(true);
    document.body.innerHTML = '<script id="__NEXT_DATA__" type="application/json">{}</script>';
  });
  const hasServerData = () => document.getElementById('__NEXT_DATA__') !== null;

  it('does nothing without emergency access', () => {
    const page = see(user, user);
    expect(page.glass()).toMatchObject({ until: null, isPageOver: false });
    expect(Router.replace).not.toHaveBeenCalled();
  });

  it('reads the page again after it was opened, in this tab or another, and shows it meanwhile', () => {
    const page = see(user, user);
    page.come(user, opened);
    expect(page.glass()).toMatchObject({ until, isPageOver: false });
    expect(jest.mocked(Router.replace).mock.calls).toEqual([['/patients?unit=East', undefined, { scroll: false }]]);
    page.come(opened, opened);
    expect(Router.replace).toHaveBeenCalledTimes(1);
  });

  it('shows nothing of a page with more access than now, drops its data, and reads the page again', () => {
    const page = see(opened, opened);
    page.cache().set('patients of everybody', { data: 'somebody' });
    expect(page.glass()).toMatchObject({ until, isPageOver: false });
    page.come(opened, user);
    expect(page.glass()).toMatchObject({ until: null, isPageOver: true });
    expect([page.cache().get('patients of everybody')?.data, hasServerData()]).toEqual([undefined, false]);
    expect(Router.replace).toHaveBeenCalledTimes(1);
    page.come(user, user);
    expect(page.glass()).toMatchObject({ until: null, isPageOver: false });
  });

  it('ends at its time, before the server has confirmed it', () => {
    const page = see(opened, opened);
    act(() => {
      page.glass().end();
    });
    expect(page.glass()).toMatchObject({ until: null, isPageOver: true });
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  it('can be opened again afterwards', () => {
    const page = see(opened, opened);
    act(() => {
      page.glass().end();
    });
    const later: User = { ...user, breakGlassUntil: '2026-03-07T18:00:00.000Z' };
    page.come(later, later);
    expect(page.glass()).toMatchObject({ until: later.breakGlassUntil, isPageOver: false });
  });
});

describe('useSidebar', () => {
  it('is folded at first, and opens, folds and toggles on request', () => {
    const store = makeStore();
    const { result } = renderHook(() => useSidebar(), {
      wrapper: ({ children }) => <Provider store={store}>{children}</Provider>,
    });
    expect(result.current.collapsed).toBe(true);
    act(() => result.current.open());
    expect(result.current.collapsed).toBe(false);
    act(() => result.current.close());
    expect(result.current.collapsed).toBe(true);
    act(() => result.current.toggle());
    expect(result.current.collapsed).toBe(false);
    store.watchers?.cancel();
  });
});
