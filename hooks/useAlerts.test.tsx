import { act, renderHook } from '@testing-library/react';
import { SWRConfig } from 'swr';
import type { AlertsPage } from '../lib/alerts/schema';
import { ApiFailure, clientFailure } from '../lib/api/client';
import { inventedAlert, inventedAlerts } from '../test/inventedAlert';
import { swrConfig } from './swrConfig';
import { useAlertActs } from './useAlertActs';
import { isAlertsKey, useAlerts } from './useAlerts';

const mockAsk = jest.fn<Promise<unknown>, [name: string, input: object]>();
const mockCall = jest.fn<Promise<unknown>, [name: string, input: object]>();
jest.mock('../lib/api/client', () => ({
  ...jest.requireActual<object>('../lib/api/client'),
  ask: (...given: Parameters<typeof mockAsk>) => mockAsk(...given),
  call: (...given: Parameters<typeof mockCall>) => mockCall(...given),
}));

const answer = (data: object, serverTime = 1) => Promise.resolve({ data, serverTime });
const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  jest.useFakeTimers();
  mockAsk.mockReset();
  mockCall.mockReset();
});
afterEach(() => jest.useRealTimers());

const render = (fallback?: AlertsPage) =>
  renderHook(() => ({ alerts: useAlerts(fallback), acts: useAlertActs() }), {
    wrapper: ({ children }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>,
  });

/** What the list was asked with, without the signal. */
const lastQuery = (): unknown => (mockAsk.mock.lastCall?.[1] as { query?: unknown } | undefined)?.query;

describe('the open alerts', () => {
  it.each([
    ['nothing is held', undefined, '1'],
    ['another version is held', inventedAlerts([inventedAlert(1)], { version: '7' }), '8'],
  ])('are not believed to be unchanged when %s', async (_, fallback, version) => {
    mockAsk.mockImplementation(() => answer({ unchanged: true, version }));
    const { result } = render(fallback);
    await pass(0);
    expect(result.current.alerts.error?.code).toBe('unreadable_answer');
    expect(result.current.alerts.data).toBe(fallback);
  });

  it('stay as they were, marked old, when the server cannot be reached', async () => {
    mockAsk.mockImplementation(() => answer(inventedAlerts([inventedAlert(1)])));
    const { result } = render();
    await pass(0);
    mockAsk.mockRejectedValue(clientFailure('unreachable'));
    await pass(5_000);
    expect(result.current.alerts.data?.items).toHaveLength(1);
    expect(result.current.alerts.error?.code).toBe('unreachable');
  });

  it('are asked for every 5 s, all of them, and only what is newer than is held', async () => {
    mockAsk.mockImplementation(() => answer(inventedAlerts([inventedAlert(1)], { version: '4' })));
    const { result } = render();
    await pass(0);
    expect(mockAsk.mock.lastCall?.[0]).toBe('listAlerts');
    expect(lastQuery()).toEqual({ state: 'open', pageSize: 500, after: undefined });
    const held = result.current.alerts.data;
    mockAsk.mockImplementation(() => answer({ unchanged: true, version: '4' }, 2));
    await pass(5_000);
    expect(lastQuery()).toEqual({ state: 'open', pageSize: 500, after: '4' });
    expect(result.current.alerts.data).toBe(held);
    expect(result.current.alerts.asOf).toBe(2);
  });

  it('start from those that came with the page', async () => {
    const fallback = inventedAlerts([inventedAlert(1)], { version: '9' });
    mockAsk.mockImplementation(() => answer({ unchanged: true, version: '9' }, 2));
    const { result } = render(fallback);
    expect(result.current.alerts).toMatchObject({ isLoading: false, data: fallback });
    await pass(0);
    expect(lastQuery()).toMatchObject({ after: '9' });
  });

  it.each([
    ['acknowledge', 'acknowledgeAlert'],
    ['accept', 'acceptAlert'],
  ] as const)('are asked for at once after somebody has tried to %s one, done or refused', async (name, route) => {
    mockAsk.mockImplementation(() => answer(inventedAlerts([inventedAlert(3)])));
    mockCall
      .mockResolvedValueOnce(inventedAlert(3))
      .mockRejectedValueOnce(new ApiFailure('alert_closed', 'It is closed.', { status: 409 }));
    const { result } = render();
    await pass(0);
    await act(() => result.current.acts[name](3));
    await pass(0);
    expect(mockCall.mock.lastCall).toEqual([route, { params: { id: 3 } }]);
    expect(mockAsk).toHaveBeenCalledTimes(2);
    await act(() => expect(result.current.acts[name](3)).rejects.toMatchObject({ code: 'alert_closed' }));
    await pass(0);
    expect(mockAsk).toHaveBeenCalledTimes(3);
  });

  it('have a key by which they are known from everything else', () => {
    expect(['alerts open', 'patients []', 'patient 1', undefined].map(isAlertsKey)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
