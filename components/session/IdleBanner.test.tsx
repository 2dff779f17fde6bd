import { act, fireEvent, render, screen } from '@testing-library/react';
import { useCurrentUser } from '../../hooks/useCurrentUser';
import { clientFailure } from '../../lib/browser/client';
import { noteResponse, startServerClock, thisMoment } from '../../lib/browser/serverClock';
import { inventedUser } from '../../test/inventedWard';
import { IdleBanner } from './IdleBanner';

const mockAsk = jest.fn<Promise<unknown>, [name: string]>();
jest.mock('../../lib/browser/client', () => ({
  ...jest.requireActual<object>('../../lib/browser/client'),
  ask: (name: string) => mockAsk(name),
}));
jest.mock('../../hooks/useCurrentUser');

const minute = 60_000;
const lock = jest.fn<Promise<void>, []>();
let start: number;

beforeEach(() => {
  jest.useFakeTimers();
  localStorage.clear();
  lock.mockReset().mockResolvedValue(undefined);
  mockAsk.mockReset().mockImplementation(() => Promise.resolve({ data: null, serverTime: Date.now() }));
  jest.mocked(useCurrentUser).mockReturnValue({
    user: inventedUser(),
    status: 'signedIn',
    lockedUser: null,
    lock,
    unlock: () => Promise.resolve(null),
    refresh: () => Promise.resolve(),
    updateUserInfo: () => {},
    giveUpSignOut: () => Promise.resolve(),
    signOut: () => Promise.resolve(null),
  });
  start = Date.now();
});
afterEach(() => jest.useRealTimers());

const show = (idleMinutes = 5) =>
  render(<IdleBanner initialNow={start} lastInputAt={start} idleMinutes={idleMinutes} />);
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const isWarning = (): boolean => screen.queryByText('This screen locks soon') !== null;

describe('a page without input', () => {
  it('warns two minutes before and then locks, once', async () => {
    show();
    await pass(2 * minute);
    expect([isWarning(), lock.mock.calls.length]).toEqual([false, 0]);
    await pass(2 * minute);
    expect([isWarning(), lock.mock.calls.length]).toEqual([true, 0]);
    await pass(2 * minute);
    expect(lock).toHaveBeenCalledTimes(1);
    expect(mockAsk).not.toHaveBeenCalled();
  });

  it('is not locked because someone sets the clock of the server', async () => {
    show(15);
    startServerClock(start);
    await pass(minute);
    noteResponse(start + 121 * minute, thisMoment());
    await pass(2 * minute);
    expect([isWarning(), lock.mock.calls.length]).toEqual([false, 0]);
  });

  it('stays open when the user says so', async () => {
    show();
    await pass(4 * minute);
    fireEvent.click(screen.getByRole('button', { name: 'Stay signed in' }));
    await pass(2 * minute);
    expect([isWarning(), lock.mock.calls.length]).toEqual([false, 0]);
    expect(mockAsk.mock.calls).toEqual([['noteInput']]);
  });

  it('stays open when another tab had input', async () => {
    show();
    await pass(4 * minute);
    act(() => {
      window.dispatchEvent(new StorageEvent('storage', { key: 'lastInputAt', newValue: String(Date.now()) }));
    });
    await pass(2 * minute);
    expect([isWarning(), lock.mock.calls.length]).toEqual([false, 0]);
  });
});

describe('a page with input', () => {
  it.each(['pointerDown', 'pointerMove', 'keyDown', 'touchStart'] as const)(
    'tells the server of %s, once a minute at most',
    async (input) => {
      show();
      for (let seconds = 0; seconds < 180; seconds += 10) {
        fireEvent[input](document.body);
        await pass(10_000);
      }
      expect(mockAsk.mock.calls.length).toBe(2);
    },
  );

  it('stays open while the server cannot be reached, and tries again soon to report the input', async () => {
    mockAsk.mockImplementation(() => Promise.reject(clientFailure('unreachable')));
    show(2);
    for (let seconds = 0; seconds < 300; seconds += 10) {
      fireEvent.keyDown(document.body);
      await pass(10_000);
    }
    expect(lock).not.toHaveBeenCalled();
    expect(mockAsk.mock.calls.length).toBeGreaterThan(10);
  });
});
