import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { SWRConfig } from 'swr';
import { takeSoundTurn } from '../lib/browser/tabTurn';
import { isSpeakerOn, playBurst, switchSpeakerOnAgain } from '../lib/browser/speaker';
import type { AlertSound } from '../lib/sound/soundSchema';
import type { User } from '../lib/session/schema';
import { makeStore, type AppStore } from '../store/index';
import { sessionLost } from '../store/session/actions';
import { inventedUser } from '../test/inventedWard';
import { poll } from './poll';
import { SoundProvider, useSound } from './SoundProvider';
import { swrConfig } from './swrConfig';
import { useAlertsStopped } from './useAlertsStopped';
import { useServerLost } from './useServerLost';

jest.mock('./poll');
jest.mock('./useAlertsStopped');
jest.mock('./useServerLost');
jest.mock('../lib/browser/tabTurn');
jest.mock('../lib/browser/speaker');

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
