import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { SWRConfig } from 'swr';
import type { AlertStrip, StripItem } from '../lib/alerts/stripSchema';
import { clientFailure } from '../lib/browser/client';
import { isSpeakerOn, playBurst, switchSpeakerOnAgain } from '../lib/browser/speaker';
import { takeSoundTurn } from '../lib/browser/tabTurn';
import type { User } from '../lib/session/schema';
import type { AlertSound } from '../lib/sound/soundSchema';
import { type AppStore, makeStore } from '../store/index';
import { sessionLocked, sessionLost } from '../store/session/actions';
import { setPageVisibility } from '../test/inventedStream';
import { inventedUser } from '../test/inventedWard';
import { AlertStripProvider, useAlertStrip } from './AlertStripProvider';
import { SoundProvider, useSound } from './SoundProvider';
import { poll } from './poll';
import { swrConfig } from './swrConfig';
import { useAlertsStopped } from './useAlertsStopped';
import { useServerLost } from './useServerLost';

jest.mock('./poll');
jest.mock('./useServerLost');
jest.mock('./useAlertsStopped');
jest.mock('../lib/browser/tabTurn');
jest.mock('../lib/browser/speaker');

describe('AlertStripProvider', () => {
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
        .mockImplementation(
          () => new Promise((resolve) => (settle = () => resolve({ data: strip([]), serverTime: 1 }))),
        );
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
});

describe('SoundProvider', () => {
  let store: AppStore;
  let turn: () => void;

  beforeEach(() => {
    jest.useFakeTimers();
    jest.mocked(useServerLost).mockReturnValue(null);
    jest.mocked(useAlertsStopped).mockReturnValue(null);
    jest.mocked(isSpeakerOn).mockReturnValue(true);
    jest.mocked(switchSpeakerOnAgain).mockReturnValue(() => undefined);
    jest.mocked(playBurst).mockReset();
    turn = () => undefined;
    jest
      .mocked(takeSoundTurn)
      .mockReset()
      .mockImplementation((onTurn) => {
        turn = onTurn;
        return () => undefined;
      });
  });
  afterEach(() => {
    store.watchers?.cancel();
    jest.useRealTimers();
  });

  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
  const played = (): string[] => jest.mocked(playBurst).mock.calls.map(([signal]) => signal);

  const sounding = (sound: Partial<AlertSound>): void => {
    const data = { priority: null, pause: null, asking: [], ...sound };
    jest.mocked(poll).mockImplementation(() => Promise.resolve({ data, serverTime: 1 } as never));
  };

  function render(sound: Partial<AlertSound>, user: User = inventedUser()) {
    sounding(sound);
    store = makeStore(undefined, { user, isLocked: false });
    const wrapper = ({ children }: { children: ReactNode }) => (
      <Provider store={store}>
        <SWRConfig value={swrConfig}>
          <SoundProvider user={user}>{children}</SoundProvider>
        </SWRConfig>
      </Provider>
    );
    return renderHook(useSound, { wrapper });
  }

  describe('the sound of a page', () => {
    it('is silent until the tab has its turn, and then sounds at once and every 10 s', async () => {
      render({ priority: 'high', pause: null });
      await pass(5_000);
      expect(played()).toEqual([]);
      act(() => turn());
      expect(played()).toEqual(['high']);
      await pass(20_500);
      expect(played()).toEqual(['high', 'high', 'high']);
    });

    it('sounds once more at once if the alert gets more urgent, and is silent when it ends', async () => {
      const { rerender } = render({ priority: 'medium', pause: null });
      await pass(0);
      act(() => turn());
      sounding({ priority: 'high' });
      await pass(5_000);
      expect(played()).toEqual(['medium', 'high']);
      sounding({ priority: null });
      await pass(60_000);
      rerender();
      expect(played().length).toBeLessThanOrEqual(3);
    });

    it('has tones of its own for a server that is away and for alerts that do not run', async () => {
      jest.mocked(useServerLost).mockReturnValue(1);
      const { rerender } = render({ priority: null, pause: null });
      await pass(0);
      act(() => turn());
      expect(played()).toEqual(['notLive']);
      jest.mocked(useAlertsStopped).mockReturnValue(1);
      rerender();
      expect(played()).toEqual(['notLive', 'notRunning']);
    });

    it('says that nothing is live while the server cannot say who is signed in', async () => {
      const { result } = render({ priority: 'medium', pause: null });
      await pass(0);
      act(() => turn());
      act(() => void store.dispatch(sessionLost('unreachable')));
      await pass(20_500);
      expect(played()).toEqual(['medium', 'notLive', 'notLive']);
      expect(result.current.isNeeded).toBe(true);
    });

    it('asks for no turn while the browser is silent, and says that sound is needed', async () => {
      jest.mocked(isSpeakerOn).mockReturnValue(false);
      const { result } = render({ priority: 'high', pause: null });
      await pass(0);
      expect(takeSoundTurn).not.toHaveBeenCalled();
      expect(result.current).toEqual({ isNeeded: true, isOn: false, pause: null });
    });

    it('is not needed for users whom no alert asks, who still see a pause', async () => {
      const pause = { until: '2026-05-01T10:00:00Z', by: 'N. Demo' };
      const { result } = render({ priority: null, pause }, inventedUser({ type: 'viewer' }));
      await pass(0);
      expect(result.current).toEqual({ isNeeded: false, isOn: true, pause });
      expect(takeSoundTurn).not.toHaveBeenCalled();
    });
  });
});
