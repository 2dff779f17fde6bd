import { act, renderHook } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { changesOf, clientFailure } from '../lib/browser/client';
import { inventedAlert, inventedAlerts } from '../test/inventedAlert';
import { swrConfig } from './swrConfig';
import { useCall } from './useCall';
import { useShownAlerts } from './useShownAlerts';

const mockAsk = jest.fn<Promise<unknown>, [name: string, input: { query: object }]>();
const mockCall = jest.fn<Promise<unknown>, [name: string, input: object]>();
jest.mock('../lib/browser/client', () => ({
  ...jest.requireActual<object>('../lib/browser/client'),
  ask: (...given: Parameters<typeof mockAsk>) => mockAsk(...given),
  call: (...given: Parameters<typeof mockCall>) => mockCall(...given),
}));

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
const render = (first: readonly number[]) =>
  renderHook(({ ids }) => ({ alerts: useShownAlerts(ids), acknowledge: useCall('acknowledgeAlert') }), {
    initialProps: { ids: first },
    wrapper: ({ children }) => <SWRConfig value={{ ...swrConfig, provider: () => new Map() }}>{children}</SWRConfig>,
  });

// The first call of a group waits for a task, in which its schemas are made. These tests stop the clock of tasks, so
// the group is loaded before.
beforeAll(() => changesOf('acknowledgeAlert'));

beforeEach(() => {
  jest.useFakeTimers();
  mockAsk.mockReset().mockResolvedValue({ data: inventedAlerts([inventedAlert(3)]), serverTime: 1 });
});
afterEach(() => jest.useRealTimers());

describe('the alerts of the cards of a chat', () => {
  it('are not read while there is no card', async () => {
    render([]);
    await pass(20_000);
    expect(mockAsk).not.toHaveBeenCalled();
  });

  it('are read in one call, and polled with the version that is held', async () => {
    const { result } = render([3, 9]);
    await pass(0);
    expect(mockAsk.mock.calls).toHaveLength(1);
    expect(mockAsk.mock.lastCall?.[1].query).toEqual({ ids: '3,9', after: undefined });
    const { data } = result.current.alerts;
    expect([data?.items.map(({ id }) => id), data?.asked]).toEqual([[3], [3, 9]]);
    mockAsk.mockResolvedValue({ data: { unchanged: true, version: '1' }, serverTime: 2 });
    await pass(5_000);
    expect(mockAsk.mock.lastCall?.[1].query).toEqual({ ids: '3,9', after: '1' });
    expect(result.current.alerts.data).toBe(data);
  });

  it('do not say of a card that has just come that it may not be seen', async () => {
    const { result, rerender } = render([3]);
    await pass(0);
    mockAsk.mockReturnValue(new Promise(() => {}));
    rerender({ ids: [3, 9] });
    await pass(0);
    expect(result.current.alerts.data).toMatchObject({ items: [{ id: 3 }], asked: [3] });
  });

  it('stay as they were, marked old, when the server cannot be reached', async () => {
    const { result } = render([3]);
    await pass(0);
    mockAsk.mockRejectedValue(clientFailure('unreachable'));
    await pass(5_000);
    expect(result.current.alerts).toMatchObject({
      data: { items: [{ id: 3 }] },
      error: { code: 'unreachable' },
      asOf: 1,
    });
  });

  it('change at once with what the user does to one of them', async () => {
    const { result } = render([3]);
    await pass(0);
    mockCall.mockResolvedValue(inventedAlert(3, { version: 2 }));
    await act(async () => {
      await result.current.acknowledge({ params: { id: 3 }, body: { version: 1 } });
    });
    expect(result.current.alerts.data).toMatchObject({ items: [{ id: 3, version: 2 }], asked: [3] });
  });
});
