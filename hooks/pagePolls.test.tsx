import { act, render, renderHook } from '@testing-library/react';
import Cookies from 'js-cookie';
import { type ReactNode, StrictMode } from 'react';
import { Provider } from 'react-redux';
import { SWRConfig } from 'swr';
import { dashboardQuery } from '../lib/patients/dashboardQuery';
import { makeStore } from '../store/index';
import { inventedAlerts } from '../test/inventedAlert';
import { InventedStream, setPageVisibility } from '../test/inventedStream';
import { inventedPage, inventedUser } from '../test/inventedWard';
import { AlertStripProvider } from './AlertStripProvider';
import { CurrentUserProvider } from './CurrentUserProvider';
import { swrConfig } from './swrConfig';
import { useAlerts } from './useAlerts';
import { usePatients } from './usePatients';
import { useServerEvents } from './useServerEvents';
import { useSparks } from './useSparks';

const mockAsk = jest.fn<Promise<unknown>, [name: string]>();
jest.mock('../lib/browser/client', () => ({
  ...jest.requireActual<object>('../lib/browser/client'),
  ask: (name: string) => mockAsk(name),
}));
jest.mock('next/router', () => ({ __esModule: true, default: { replace: jest.fn(), asPath: '/dashboard' } }));

describe('firstPolls', () => {
  const user = inventedUser({});

  beforeEach(() => {
    jest.useFakeTimers();
    setPageVisibility('visible');
    InventedStream.install();
    Cookies.set('token', 'one');
    mockAsk.mockReset().mockImplementation((name) => {
      const version = String(mockAsk.mock.calls.length);
      const answers: Record<string, object | null> = {
        listPatients: inventedPage([], { version }),
        listAlerts: inventedAlerts([], { version }),
        getCurrentUser: user,
      };
      return Promise.resolve({ data: answers[name] ?? null, serverTime: 1 });
    });
  });
  afterEach(() => {
    InventedStream.remove();
    jest.useRealTimers();
  });

  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
  const asked = () =>
    ['listPatients', 'listAlerts'].map((name) => mockAsk.mock.calls.filter(([of]) => of === name).length);

  function Lists(): ReactNode {
    usePatients({ ...dashboardQuery, text: '' }, inventedPage([]));
    useAlerts(inventedAlerts([]));
    return null;
  }

  /** Renders a page with patients and alerts whose stream has just been opened. Returns the stream. */
  async function load(): Promise<InventedStream> {
    render(
      <StrictMode>
        <Provider store={makeStore()}>
          <SWRConfig value={swrConfig}>
            <CurrentUserProvider user={user}>
              <Lists />
            </CurrentUserProvider>
          </SWRConfig>
        </Provider>
      </StrictMode>,
    );
    await pass(1_000);
    const [stream] = InventedStream.opened;
    if (stream === undefined) {
      throw new Error('No stream was opened');
    }
    act(() => stream.open());
    return stream;
  }

  it('polls each list once when a page is loaded, and again 5 s later', async () => {
    await load();
    await pass(3_900);
    expect(asked()).toEqual([1, 1]);
    await pass(200);
    expect(asked()).toEqual([2, 2]);
  });

  it('polls nothing when the page becomes visible, gets the focus or is online again', async () => {
    await load();
    setPageVisibility('hidden');
    await pass(1_000);
    act(() => {
      setPageVisibility('visible');
      window.dispatchEvent(new Event('focus'));
      window.dispatchEvent(new Event('online'));
    });
    await pass(1_000);
    expect(asked()).toEqual([1, 1]);
  });

  it('polls the list of an event: alerts at once, patients 2 s after their last response', async () => {
    const stream = await load();
    act(() => {
      stream.tell('patients');
      stream.tell('alerts');
    });
    await pass(0);
    expect(asked()).toEqual([1, 2]);
    await pass(999);
    expect(asked()).toEqual([1, 2]);
    await pass(1);
    expect(asked()).toEqual([2, 2]);
  });

  it('polls alerts for the first event at once, and for the next a quarter second after the response', async () => {
    const stream = await load();
    act(() => stream.tell('alerts'));
    await pass(100);
    act(() => stream.tell('alerts'));
    await pass(149);
    expect(asked()[1]).toBe(2);
    await pass(1);
    expect(asked()[1]).toBe(3);
  });

  it('makes at most five polls of 100 events within a second, the last one after the last event', async () => {
    const stream = await load();
    const [, before = 0] = asked();
    for (let event = 0; event < 100; event += 1) {
      act(() => stream.tell('alerts'));
      await pass(10);
    }
    const [, during = 0] = asked();
    expect(during - before).toBeLessThanOrEqual(5);
    act(() => stream.tell('alerts'));
    await pass(250);
    expect(asked()[1]).toBe(during + 1);
    // Nothing is left over: the next is the regular poll.
    await pass(2_000);
    expect(asked()[1]).toBe(during + 1);
  });

  it('waits for a slow response, and then makes one poll of all events that came meanwhile', async () => {
    const stream = await load();
    let respond: () => void = () => {};
    mockAsk.mockImplementationOnce(
      () =>
        new Promise((resolve) => {
          respond = () => resolve({ data: inventedAlerts([], { version: 'slow' }), serverTime: 1 });
        }),
    );
    for (let event = 0; event < 30; event += 1) {
      act(() => stream.tell('alerts'));
      await pass(100);
    }
    expect(asked()[1]).toBe(2);
    act(() => respond());
    await pass(250);
    expect(asked()[1]).toBe(3);
    await pass(500);
    expect(asked()[1]).toBe(3);
  });
});

describe('hiddenTab', () => {
  /** The worker of the page: its clock goes on in a hidden tab. */
  class InventedWorker {
    static started: InventedWorker | null = null;
    onmessage: (() => void) | null = null;
    constructor() {
      InventedWorker.started = this;
    }
    terminate(): void {
      InventedWorker.started = null;
    }
  }

  const user = inventedUser({});
  const answers: Record<string, unknown> = {
    listPatients: inventedPage([]),
    listAlerts: inventedAlerts([]),
    readAlertStrip: { items: [], alertPath: { lastTickAt: 1, lastHeartbeatAt: 1 } },
    listSparks: { from: '2026-05-01T10:00:00Z', items: [] },
    getCurrentUser: user,
  };

  beforeEach(() => {
    jest.useFakeTimers();
    setPageVisibility('visible');
    InventedStream.install();
    Object.defineProperty(globalThis, 'Worker', { configurable: true, value: InventedWorker });
    Cookies.set('token', 'one');
    mockAsk
      .mockReset()
      .mockImplementation((name) => Promise.resolve({ data: answers[name] ?? null, serverTime: Date.now() }));
  });
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'Worker');
    InventedStream.remove();
    jest.useRealTimers();
  });

  function Page(): ReactNode {
    usePatients({ ...dashboardQuery, text: '' }, inventedPage([]));
    useAlerts(inventedAlerts([]));
    useSparks([1]);
    // A second reader of a list polls nothing more.
    useAlerts();
    return null;
  }

  /** Lets seconds pass; the worker tells the page of each. */
  async function pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      await act(async () => {
        await jest.advanceTimersByTimeAsync(1_000);
        InventedWorker.started?.onmessage?.();
      });
    }
  }

  const timesAsked = (name: string): number => mockAsk.mock.calls.filter(([of]) => of === name).length;

  it('polls and says that it is open every 5 s for 3 min, while the browser holds its timers back', async () => {
    render(
      <Provider store={makeStore(undefined, { user, isLocked: false })}>
        <SWRConfig value={swrConfig}>
          <CurrentUserProvider user={user}>
            <AlertStripProvider user={user}>
              <Page />
            </AlertStripProvider>
          </CurrentUserProvider>
        </SWRConfig>
      </Provider>,
    );
    await pass(5);
    setPageVisibility('hidden');
    // Of its own timers none fires any more: browsers let one a minute pass, or none in a tab that they freeze.
    jest.spyOn(window, 'setTimeout').mockImplementation((() => 0) as never);
    jest.spyOn(window, 'setInterval').mockImplementation((() => 0) as never);
    mockAsk.mockClear();
    await pass(180);
    for (const name of ['updateLastActive', 'listPatients', 'listAlerts', 'readAlertStrip']) {
      expect([name, timesAsked(name)]).toEqual([name, 36]);
    }
    // What is polled less often is so here too.
    expect(timesAsked('listSparks')).toBe(3);
  });
});

describe('useServerEvents', () => {
  const heard: string[] = [];

  beforeEach(() => {
    jest.useFakeTimers();
    InventedStream.install();
    heard.length = 0;
  });
  afterEach(() => {
    InventedStream.remove();
    jest.useRealTimers();
  });

  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
  const show = (state: DocumentVisibilityState) => act(() => setPageVisibility(state));
  const live = () => InventedStream.opened.filter(({ readyState }) => readyState !== InventedStream.CLOSED);

  function render(session: 'open' | 'locked' | null = 'open') {
    return renderHook(
      ({ session, as }: { session: 'open' | 'locked' | null; as: string }) =>
        useServerEvents(session, {
          alerts: () => heard.push(`alerts ${as}`),
          patients: () => heard.push(`patients ${as}`),
          session: () => heard.push(`session ${as}`),
        }),
      { wrapper: StrictMode, initialProps: { session, as: 'first' } },
    );
  }

  /** Returns the only open stream. */
  async function opened(): Promise<InventedStream> {
    await pass(1_000);
    const [stream, more] = live();
    if (stream === undefined || more !== undefined) {
      throw new Error(`${live().length} streams are open`);
    }
    act(() => stream.open());
    return stream;
  }

  describe('a page’s stream of events', () => {
    it('is left out if the browser has none', async () => {
      InventedStream.remove();
      render();
      await pass(60_000);
      expect(heard).toEqual([]);
    });

    it('is opened only for signed-in users, and ends with the session and with the page', async () => {
      const { rerender, unmount } = render(null);
      await pass(60_000);
      expect(InventedStream.opened).toEqual([]);
      rerender({ session: 'open', as: 'first' });
      await opened();
      rerender({ session: null, as: 'first' });
      expect(live()).toEqual([]);
      rerender({ session: 'open', as: 'first' });
      await opened();
      unmount();
      expect(live()).toEqual([]);
      await pass(60_000);
      expect(InventedStream.opened).toHaveLength(2);
    });

    it('is another one while the session is locked', async () => {
      const { rerender } = render();
      const before = await opened();
      rerender({ session: 'locked', as: 'first' });
      expect(live()).toEqual([]);
      const locked = await opened();
      expect(locked).not.toBe(before);
      act(() => locked.tell('alerts'));
      expect(heard).toEqual(['alerts first']);
    });

    it('is a single one, opened a second after the page, also in strict mode', async () => {
      render();
      await pass(999);
      expect(InventedStream.opened).toEqual([]);
      await opened();
      await pass(60_000);
      expect(InventedStream.opened.map(({ url }) => url)).toEqual(['/api/v2/events']);
    });

    it('calls the current handlers with what the server reports', async () => {
      const { rerender } = render();
      const stream = await opened();
      rerender({ session: 'open', as: 'second' });
      act(() => stream.tell('patients'));
      act(() => stream.tell('alerts'));
      act(() => stream.tell('session'));
      act(() => stream.tell('something new'));
      expect(heard).toEqual(['patients second', 'alerts second', 'session second']);
    });

    it('polls nothing when it is opened or restored: the polls bring what was missed', async () => {
      render();
      const stream = await opened();
      act(() => stream.fail('lost'));
      await pass(60_000);
      expect(live()).toEqual([stream]);
      act(() => stream.open());
      expect(heard).toEqual([]);
      act(() => stream.tell('alerts'));
      expect(heard).toEqual(['alerts first']);
    });

    it('is tried again every 30 s after a refusal', async () => {
      render();
      await pass(1_000);
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        expect(InventedStream.opened).toHaveLength(attempt);
        act(() => InventedStream.opened.at(-1)?.fail('refused'));
        await pass(29_999);
        expect(InventedStream.opened).toHaveLength(attempt);
        await pass(1);
      }
      expect(live()).toHaveLength(1);
    });
  });

  describe('a page that is hidden', () => {
    it('opens no stream before it is visible', async () => {
      show('hidden');
      render();
      await pass(60_000);
      expect(InventedStream.opened).toEqual([]);
      show('visible');
      expect(live()).toHaveLength(1);
    });

    it('keeps its stream for 30 s, and polls nothing when it is visible again', async () => {
      render();
      const stream = await opened();
      show('hidden');
      await pass(29_999);
      expect(live()).toEqual([stream]);
      show('visible');
      expect(heard).toEqual([]);
      await pass(60_000);
      expect(live()).toEqual([stream]);
    });

    it('closes its connection after 30 s, until it is visible again', async () => {
      render();
      await opened();
      show('hidden');
      await pass(30_000);
      expect(live()).toEqual([]);
      await pass(60_000);
      show('visible');
      expect(live()).toHaveLength(1);
      await pass(60_000);
      expect(InventedStream.opened).toHaveLength(2);
    });

    it('does not try again after a refusal', async () => {
      render();
      const stream = await opened();
      show('hidden');
      act(() => stream.fail('refused'));
      await pass(60_000);
      expect(InventedStream.opened).toHaveLength(1);
    });
  });
});
