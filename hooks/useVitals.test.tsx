import { act, renderHook } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { clientFailure } from '../lib/browser/client';
import { noteResponse, thisMoment } from '../lib/browser/serverClock';
import type { VitalsResponse } from '../lib/vitals/schema';
import { swrConfig } from './swrConfig';
import { useVitals, type VitalsWindow } from './useVitals';

const mockAsk = jest.fn<Promise<unknown>, [name: string, input: { query?: unknown; params?: unknown }]>();
jest.mock('../lib/browser/client', () => ({
  ...jest.requireActual<object>('../lib/browser/client'),
  ask: (...given: Parameters<typeof mockAsk>) => mockAsk(...given),
}));

const hour = 3_600_000;
const window: VitalsWindow = { patientId: 1, kinds: ['spo2', 'heartRate'], rangeMs: hour, zoom: null, points: 1_000 };
const vitals = (patientId: number): VitalsResponse => ({
  patientId,
  from: '2026-05-01T09:00:00.000Z',
  to: '2026-05-01T10:00:00.000Z',
  truncated: false,
  series: [],
});

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

const render = () =>
  renderHook((given: VitalsWindow) => useVitals(given), {
    wrapper: ({ children }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>,
    initialProps: window,
  });

beforeEach(() => {
  jest.useFakeTimers();
  mockAsk.mockReset();
});
afterEach(() => jest.useRealTimers());

const beforeTheClock = { asked: 0, code: '' };
// Before all tests, in whatever order they run: a clock that has started does not stop.
beforeAll(async () => {
  jest.useFakeTimers();
  const { result, unmount } = render();
  await pass(0);
  Object.assign(beforeTheClock, { asked: mockAsk.mock.calls.length, code: result.current.error?.code });
  unmount();
  jest.useRealTimers();
});

describe('vitals', () => {
  it('are not polled before the server’s time is known', () => {
    expect(beforeTheClock).toEqual({ asked: 0, code: 'unreachable' });
  });

  it('are never another patient’s: not the last one’s, not those of a wrong response', async () => {
    noteResponse(Date.parse('2026-05-01T10:00:00Z'), thisMoment());
    mockAsk.mockResolvedValue({ data: vitals(1), serverTime: 1 });
    const { result, rerender } = render();
    await pass(0);
    expect(result.current.data?.patientId).toBe(1);
    let answer: (reply: object) => void = () => {};
    mockAsk.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    rerender({ ...window, patientId: 2 });
    expect(result.current).toMatchObject({
      data: undefined,
      error: undefined,
      isLoading: true,
      isRefreshing: false,
      asOf: null,
    });
    answer({ data: vitals(1), serverTime: 2 });
    await pass(0);
    expect(result.current.data).toBeUndefined();
    expect(result.current.error?.code).toBe('unreadable_response');
  });

  it('reach from the range ago to the server’s now, which moves on with every refresh', async () => {
    noteResponse(Date.parse('2026-05-01T10:00:00Z'), thisMoment());
    mockAsk.mockResolvedValue({ data: vitals(1), serverTime: 1 });
    render();
    await pass(0);
    expect(mockAsk.mock.lastCall?.[0]).toBe('getVitals');
    expect(mockAsk.mock.lastCall?.[1]).toMatchObject({
      params: { id: 1 },
      query: {
        kind: 'spo2,heartRate',
        from: '2026-05-01T09:00:00.000Z',
        to: '2026-05-01T10:00:00.000Z',
        points: 1_000,
      },
    });
    await pass(5_000);
    expect(mockAsk.mock.lastCall?.[1]).toMatchObject({
      query: { from: '2026-05-01T09:00:05.000Z', to: '2026-05-01T10:00:05.000Z' },
    });
  });

  it('of a zoomed window stay in it and are polled too', async () => {
    noteResponse(Date.parse('2026-05-01T10:00:00Z'), thisMoment());
    mockAsk.mockResolvedValue({ data: vitals(1), serverTime: 1 });
    const { rerender } = render();
    await pass(0);
    rerender({ ...window, zoom: { from: Date.parse('2026-05-01T09:10:00Z'), to: Date.parse('2026-05-01T09:20:00Z') } });
    await pass(0);
    const query = {
      kind: 'spo2,heartRate',
      from: '2026-05-01T09:10:00.000Z',
      to: '2026-05-01T09:20:00.000Z',
      points: 1_000,
    };
    expect(mockAsk.mock.lastCall?.[1]).toMatchObject({ query });
    const asked = mockAsk.mock.calls.length;
    await pass(5_000);
    expect(mockAsk.mock.calls.length).toBe(asked + 1);
    expect(mockAsk.mock.lastCall?.[1]).toMatchObject({ query });
  });

  it('of the same patient stay while another range loads, beside an error too', async () => {
    noteResponse(Date.parse('2026-05-01T10:00:00Z'), thisMoment());
    mockAsk.mockResolvedValue({ data: vitals(1), serverTime: 1 });
    const { result, rerender } = render();
    await pass(0);
    mockAsk.mockReturnValue(new Promise(() => {}));
    rerender({ ...window, rangeMs: 4 * hour });
    expect(result.current).toMatchObject({ isLoading: false, isRefreshing: true, asOf: 1 });
    expect(result.current.data).toEqual(vitals(1));
    mockAsk.mockRejectedValue(clientFailure('unreachable'));
    rerender(window);
    await pass(5_000);
    expect(result.current.data).toEqual(vitals(1));
    expect(result.current.error?.code).toBe('unreachable');
    rerender({ ...window, rangeMs: 12 * hour });
    await pass(0);
    expect(result.current).toMatchObject({ data: vitals(1), error: { code: 'unreachable' }, asOf: 1 });
    rerender({ ...window, patientId: 2 });
    expect(result.current).toMatchObject({ data: undefined, error: undefined, isLoading: true });
    await pass(0);
    expect(result.current).toMatchObject({ data: undefined, error: { code: 'unreachable' }, asOf: null });
  });
});
