import { act, renderHook } from '@testing-library/react';
import Router from 'next/router';
import { ApiFailure, clientFailure } from '../lib/browser/client';
import { loadPage } from '../lib/browser/loadPage';
import { createDraftKeeper } from './draftKeeper';
import { keptDrafts } from './keptTexts';
import { poll } from './poll';
import { useOpening } from './useOpening';
import { useServerLost } from './useServerLost';

type Listener = (...given: unknown[]) => void;
const mockListeners = new Map<string, Listener>();
jest.mock('next/router', () => ({
  __esModule: true,
  default: {
    asPath: '/patients',
    push: jest.fn(() => Promise.resolve(true)),
    replace: jest.fn(() => Promise.resolve(true)),
    events: {
      on: (name: string, listener: Listener) => mockListeners.set(name, listener),
      off: (name: string) => mockListeners.delete(name),
    },
  },
}));
jest.mock('../lib/browser/loadPage');
jest.mock('./poll');
jest.mock('./useServerLost');

const unreachable = clientFailure('unreachable');

beforeEach(() => {
  jest.useFakeTimers();
  jest.mocked(loadPage).mockReset();
  jest.mocked(Router.push).mockClear();
  jest.mocked(Router.replace).mockClear();
  jest.mocked(useServerLost).mockReturnValue(null);
  jest.mocked(poll).mockReset().mockRejectedValue(unreachable);
});
afterEach(() => jest.useRealTimers());

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
/** Sends an event of Next's router, and returns what its listener threw. */
function send(name: string, ...given: unknown[]): unknown {
  let thrown: unknown = null;
  act(() => {
    try {
      mockListeners.get(name)?.(...given);
    } catch (problem) {
      thrown = problem;
    }
  });
  return thrown;
}
const start = (address = '/dashboard', shallow = false) => send('routeChangeStart', address, { shallow });
const fail = (address = '/dashboard') => send('routeChangeError', new Error('Failed to fetch'), address);

describe('a page that is opened', () => {
  it('is waited for until it is complete, and a shallow change is not', () => {
    const { result } = renderHook(useOpening);
    start('/patients?page=2', true);
    expect(result.current).toEqual({ isWaiting: false, isHeld: false, stay: null });
    start();
    expect(result.current).toEqual({ isWaiting: true, isHeld: false, stay: null });
    send('routeChangeComplete');
    expect(result.current.isWaiting).toBe(false);
  });

  it('is no longer waited for if another one takes its place', () => {
    const { result } = renderHook(useOpening);
    start('/dashboard');
    start('/chat');
    expect(send('routeChangeError', { cancelled: true }, '/dashboard')).toBeNull();
    expect(result.current.isWaiting).toBe(true);
    expect(send('routeChangeError', { cancelled: true }, '/chat')).toBeNull();
    expect(result.current.isWaiting).toBe(false);
  });

  it('leaves the user on the page while the server is away, and opens once it answers', async () => {
    const { result } = renderHook(useOpening);
    start();
    // Next goes to the browser's own error page unless this is thrown.
    expect(fail()).toMatchObject({ cancelled: true });
    await pass(30_000);
    expect(result.current).toMatchObject({ isWaiting: false, isHeld: true });
    expect(Router.push).not.toHaveBeenCalled();
    jest.mocked(poll).mockResolvedValue({ data: null, serverTime: 1 });
    await pass(1_000);
    expect(jest.mocked(Router.push).mock.calls).toEqual([['/dashboard']]);
    start();
    send('routeChangeComplete');
    await pass(60_000);
    expect(result.current.isHeld).toBe(false);
    expect(Router.push).toHaveBeenCalledTimes(1);
    expect(loadPage).not.toHaveBeenCalled();
  });

  it('is shown by the browser if the server answers and it still fails', async () => {
    renderHook(useOpening);
    jest.mocked(poll).mockRejectedValue(new ApiFailure('forbidden', 'No.', { status: 403 }));
    start();
    fail();
    await pass(0);
    expect(Router.push).toHaveBeenCalledTimes(1);
    // At once, before anything is drawn: Next keeps a script that failed to load.
    act(() => {
      start();
      fail();
    });
    await pass(0);
    expect(jest.mocked(loadPage).mock.calls).toEqual([['/dashboard']]);
  });

  it('is loaded only after what is typed was stored, and is forgotten if the user stays', async () => {
    const order: string[] = [];
    jest.mocked(loadPage).mockImplementation(() => order.push('load'));
    const keeper = keptDrafts.of(7, 4, () => createDraftKeeper(7, 4));
    const { result } = renderHook(useOpening);
    fail();
    await pass(1_000);
    keeper.change({ text: 'Slept well' });
    jest.mocked(poll).mockImplementation((name) => {
      order.push(name);
      return name === 'checkAlertPath'
        ? Promise.resolve({ data: null, serverTime: null })
        : Promise.reject(clientFailure('unreadable_response'));
    });
    await pass(1_000);
    fail();
    await pass(0);
    expect(order.slice(-2)).toEqual(['addNote', 'load']);
    expect(result.current.isHeld).toBe(true);
    await pass(5_000);
    expect(result.current).toEqual({ isWaiting: false, isHeld: false, stay: null });
    keeper.forget();
  });

  it('is the same page again if its address is already in the browser, as after Back', async () => {
    renderHook(useOpening);
    jest.mocked(poll).mockResolvedValue({ data: null, serverTime: 1 });
    fail('/patients');
    await pass(0);
    expect(jest.mocked(Router.replace).mock.calls).toEqual([['/patients']]);
  });

  it('is not opened any more once the user stays', async () => {
    const { result } = renderHook(useOpening);
    fail();
    act(() => result.current.stay?.());
    jest.mocked(poll).mockResolvedValue({ data: null, serverTime: 1 });
    await pass(60_000);
    expect(result.current.isHeld).toBe(false);
    expect(Router.push).not.toHaveBeenCalled();
  });

  it('is loaded by the browser if a server that hung answers others again, and never this one', async () => {
    const { result, rerender } = renderHook(useOpening);
    start();
    await pass(20_000);
    expect(loadPage).not.toHaveBeenCalled();
    jest.mocked(useServerLost).mockReturnValue(1);
    rerender();
    expect(result.current.isHeld).toBe(true);
    await pass(60_000);
    jest.mocked(useServerLost).mockReturnValue(null);
    rerender();
    await pass(2_999);
    expect(loadPage).not.toHaveBeenCalled();
    await pass(1);
    expect(jest.mocked(loadPage).mock.calls).toEqual([['/dashboard']]);
  });

  it('leaves no listener behind', () => {
    renderHook(useOpening).unmount();
    expect(mockListeners.size).toBe(0);
  });
});
