import { act, render } from '@testing-library/react';
import Cookies from 'js-cookie';
import type { ReactNode } from 'react';
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
import { useSparks } from './useSparks';

const mockAsk = jest.fn<Promise<unknown>, [name: string]>();
jest.mock('../lib/browser/client', () => ({
  ...jest.requireActual<object>('../lib/browser/client'),
  ask: (name: string) => mockAsk(name),
}));
jest.mock('next/router', () => ({ __esModule: true, default: { replace: jest.fn(), asPath: '/dashboard' } }));

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

it('polls and says that it is open every 5 s for ten minutes, while the browser holds its timers back', async () => {
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
  await pass(600);
  for (const name of ['updateLastActive', 'listPatients', 'listAlerts', 'readAlertStrip']) {
    expect([name, timesAsked(name)]).toEqual([name, 120]);
  }
  // What is polled less often is so here too.
  expect(timesAsked('listSparks')).toBe(10);
});
