import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { SWRConfig } from 'swr';
import type { AlertStrip, StripItem } from '../lib/alerts/stripSchema';
import { clientFailure } from '../lib/browser/client';
import type { User } from '../lib/session/schema';
import { makeStore, type AppStore } from '../store/index';
import { sessionLocked } from '../store/session/actions';
import { setPageVisibility } from '../test/inventedStream';
import { inventedUser } from '../test/inventedWard';
import { AlertStripProvider, useAlertStrip } from './AlertStripProvider';
import { poll } from './poll';
import { swrConfig } from './swrConfig';
import { useServerLost } from './useServerLost';

jest.mock('./poll');
jest.mock('./useServerLost');

const raisedAt = '2026-05-01T10:00:00Z';
const item: StripItem = { unit: 'West', bed: '1', isTrial: false, priority: 'high', raisedAt, owned: false };
const strip = (items: StripItem[]): AlertStrip => ({ items, alertPath: { lastTickAt: 1, lastHeartbeatAt: 1 } });

let store: AppStore;

beforeEach(() => {
  jest.useFakeTimers();
  setPageVisibility('visible');
  jest.mocked(useServerLost).mockReturnValue(null);
  answer([item]);
});
afterEach(() => {
  store.watchers?.cancel();
  jest.useRealTimers();
});

function answer(items: StripItem[]): void {
  jest
    .mocked(poll)
    .mockReset()
    .mockImplementation(() => Promise.resolve({ data: strip(items), serverTime: 1 } as never));
}
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

function render(user: User = inventedUser()) {
  store = makeStore(undefined, { user, isLocked: false });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <Provider store={store}>
      <SWRConfig value={swrConfig}>
        <AlertStripProvider user={user}>{children}</AlertStripProvider>
      </SWRConfig>
    </Provider>
  );
  return renderHook(useAlertStrip, { wrapper });
}

describe('the strip of open alerts', () => {
  it('is polled at once and every 5 s, and stays the same while nothing changes', async () => {
    const { result } = render();
    expect(result.current).toEqual({ items: undefined, isOld: false });
    await pass(0);
    const first = result.current;
    expect(first).toEqual({ items: [item], isOld: false });
    await pass(10_000);
    expect(poll).toHaveBeenCalledTimes(3);
    expect(result.current).toBe(first);
    answer([]);
    await pass(5_000);
    expect(result.current.items).toEqual([]);
  });

  it('is kept and called old when a poll fails, and never called empty', async () => {
    const { result } = render();
    await pass(0);
    jest.mocked(poll).mockRejectedValue(clientFailure('unreachable'));
    await pass(5_000);
    expect(result.current).toEqual({ items: [item], isOld: true });
  });

  it('is read again for a locked screen, and nothing of before is shown meanwhile', async () => {
    const { result } = render();
    await pass(0);
    let settle = (): void => {};
    jest
      .mocked(poll)
      .mockImplementation(() => new Promise((resolve) => (settle = () => resolve({ data: strip([]), serverTime: 1 }))));
    act(() => void store.dispatch(sessionLocked()));
    expect(result.current.items).toBeUndefined();
    act(() => settle());
    await pass(0);
    expect(result.current.items).toEqual([]);
  });

  it('is polled for users who see no alerts only on a locked screen, which learns whether alerts run', async () => {
    render(inventedUser({ type: 'administrator', isAdmin: true }));
    await pass(20_000);
    expect(poll).not.toHaveBeenCalled();
    act(() => void store.dispatch(sessionLocked()));
    await pass(0);
    expect(poll).toHaveBeenCalledTimes(1);
  });

  it('is polled by the worker’s clock in a hidden tab, whose own timers stand still', async () => {
    render();
    await pass(0);
    setPageVisibility('hidden');
    // As a browser does with the timers of a tab that has been hidden for five minutes: only the clock goes on.
    jest.spyOn(window, 'setTimeout').mockImplementation((() => 0) as never);
    await pass(30_000);
    expect(jest.mocked(poll).mock.calls.length).toBeGreaterThanOrEqual(5);
  });
});
