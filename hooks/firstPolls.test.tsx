import { act, render } from '@testing-library/react';
import Cookies from 'js-cookie';
import { StrictMode, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import { SWRConfig } from 'swr';
import { dashboardQuery } from '../lib/patients/dashboardQuery';
import { makeStore } from '../store/index';
import { inventedAlerts } from '../test/inventedAlert';
import { InventedStream, setPageVisibility } from '../test/inventedStream';
import { inventedPage, inventedUser } from '../test/inventedWard';
import { CurrentUserProvider } from './CurrentUserProvider';
import { swrConfig } from './swrConfig';
import { useAlerts } from './useAlerts';
import { usePatients } from './usePatients';

const mockAsk = jest.fn<Promise<unknown>, [name: string]>();
jest.mock('../lib/browser/client', () => ({
  ...jest.requireActual<object>('../lib/browser/client'),
  ask: (name: string) => mockAsk(name),
}));
jest.mock('next/router', () => ({ __esModule: true, default: { replace: jest.fn(), asPath: '/dashboard' } }));

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

it('polls alerts for the first event at once, and for the next a quarter of a second after the response', async () => {
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
