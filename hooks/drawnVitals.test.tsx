import { act, renderHook } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { SWRConfig } from 'swr';
import type { ChartMarks } from '../lib/alerts/chartMarksSchema';
import { clientFailure } from '../lib/browser/client';
import { noteResponse, thisMoment } from '../lib/browser/serverClock';
import type { SparksResponse } from '../lib/vitals/schema';
import { swrConfig } from './swrConfig';
import { isChartMarksKey, useChartMarks } from './useChartMarks';
import { useSparks } from './useSparks';

const mockAsk = jest.fn<Promise<unknown>, [name: string, input: { query: { ids: string }; params?: unknown }]>();
jest.mock('../lib/browser/client', () => ({
  ...jest.requireActual<object>('../lib/browser/client'),
  ask: (...given: Parameters<typeof mockAsk>) => mockAsk(...given),
}));

describe('useSparks', () => {
  const from = Date.parse('2026-05-01T09:01:00Z');
  /** The server's response for some ids; it knows no patient above 100. */
  const respond = (ids: string, change: Partial<SparksResponse> = {}) => ({
    data: {
      from: new Date(from).toISOString(),
      items: ids
        .split(',')
        .map(Number)
        .filter((id) => id <= 100)
        .map((id) => ({ id, spo2: `line of ${id}` })),
      ...change,
    },
    serverTime: 1,
  });

  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

  beforeEach(() => {
    jest.useFakeTimers();
    mockAsk.mockReset();
    mockAsk.mockImplementation((_, { query }) => Promise.resolve(respond(query.ids)));
  });
  afterEach(() => jest.useRealTimers());

  const render = (ids: readonly number[]) =>
    renderHook((given: { ids: readonly number[] }) => useSparks(given.ids), {
      wrapper: ({ children }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>,
      initialProps: { ids },
    });
  const requested = () => mockAsk.mock.calls.map(([, { query }]) => query.ids);

  describe('spark lines', () => {
    it('are known by the patient’s id, with the time at which they begin', async () => {
      mockAsk.mockImplementation(() => Promise.resolve(respond('2,1')));
      const { result } = render([1, 2, 3]);
      await pass(0);
      expect(mockAsk.mock.lastCall?.[0]).toBe('listSparks');
      expect(result.current.data?.byPatient).toEqual(
        new Map([
          [2, { spo2: 'line of 2', from }],
          [1, { spo2: 'line of 1', from }],
        ]),
      );
    });

    it('are polled once a minute', async () => {
      render([1, 2]);
      await pass(5_000);
      mockAsk.mockClear();
      await pass(600_000);
      expect(requested()).toEqual(Array(10).fill('1,2'));
    });

    it('are polled at once when a patient comes into view, not when one leaves or the order changes', async () => {
      const { result, rerender } = render([1, 2]);
      await pass(10_000);
      mockAsk.mockClear();
      rerender({ ids: [2, 1] });
      rerender({ ids: [2] });
      await pass(10_000);
      expect(requested()).toEqual([]);
      rerender({ ids: [2, 3] });
      expect(result.current.data?.byPatient.get(2)).toBeDefined();
      expect(result.current.data?.byPatient.get(3)).toBeUndefined();
      await pass(0);
      expect(requested()).toEqual(['2,3']);
      expect(result.current.data?.byPatient.get(3)?.spo2).toBe('line of 3');
    });

    it('of a patient who comes into view during a poll are polled after it', async () => {
      const { result, rerender } = render([1]);
      await pass(10_000);
      mockAsk.mockImplementation(
        (_, { query }) =>
          new Promise((resolve) => setTimeout(() => resolve(respond(query.ids)), query.ids.length * 1_000)),
      );
      rerender({ ids: [1, 2] });
      await pass(100);
      rerender({ ids: [1, 2, 3] });
      await pass(20_000);
      expect(result.current.data?.byPatient.get(3)?.spo2).toBe('line of 3');
      mockAsk.mockClear();
      await pass(30_000);
      expect(requested()).toEqual([]);
    });

    it('are not polled again and again if the server has none of a patient', async () => {
      const { result } = render([1, 101]);
      await pass(5_000);
      mockAsk.mockClear();
      await pass(50_000);
      expect(requested()).toEqual([]);
      expect(result.current.data?.byPatient.get(101)).toBeUndefined();
    });

    it('of no patient are not polled', async () => {
      const { result } = render([]);
      await pass(120_000);
      expect(requested()).toEqual([]);
      expect(result.current.data?.byPatient.size).toBe(0);
    });

    it('stay when the server cannot be reached, which is tried every 5 s until it responds', async () => {
      const { result } = render([1]);
      await pass(5_000);
      mockAsk.mockRejectedValue(clientFailure('unreachable'));
      await pass(60_000);
      expect(result.current.data?.byPatient.get(1)?.spo2).toBe('line of 1');
      expect(result.current.error?.code).toBe('unreachable');
      mockAsk.mockClear();
      await pass(30_000);
      expect(requested()).toHaveLength(6);
      mockAsk.mockImplementation((_, { query }) => Promise.resolve(respond(query.ids)));
      await pass(5_000);
      expect(result.current.error).toBeUndefined();
      mockAsk.mockClear();
      await pass(59_000);
      expect(requested()).toEqual([]);
    });
  });
});

describe('useChartMarks', () => {
  const window = { patientId: 1, rangeMs: 3_600_000, zoom: null };
  const marks = (patientId: number): ChartMarks => ({
    patientId,
    from: '2026-05-01T09:00:00.000Z',
    to: '2026-05-01T10:00:00.000Z',
    target: { low: 94, high: 98, scale: 1, isConfirmed: false },
    limits: [],
    alerts: [],
    hasMoreAlerts: false,
    notes: [],
  });

  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));
  const wrapper = ({ children }: Pick<ComponentProps<typeof SWRConfig>, 'children'>) => (
    <SWRConfig value={swrConfig}>{children}</SWRConfig>
  );
  const render = () => renderHook((given: typeof window) => useChartMarks(given), { wrapper, initialProps: window });

  beforeEach(() => {
    jest.useFakeTimers();
    mockAsk.mockReset();
    noteResponse(Date.parse('2026-05-01T10:00:00Z'), thisMoment());
  });
  afterEach(() => jest.useRealTimers());

  describe('the limits and alerts of a chart', () => {
    it('are never another patient’s: not the last one’s, not those of a wrong response', async () => {
      mockAsk.mockResolvedValue({ data: marks(1), serverTime: 1 });
      const { result, rerender } = render();
      await pass(0);
      expect(result.current.data?.patientId).toBe(1);
      let answer: (reply: object) => void = () => {};
      mockAsk.mockReturnValue(new Promise((resolve) => (answer = resolve)));
      rerender({ ...window, patientId: 2 });
      expect(result.current.data).toBeUndefined();
      answer({ data: marks(1), serverTime: 2 });
      await pass(0);
      expect(result.current.data).toBeUndefined();
      expect(result.current.error?.code).toBe('unreadable_response');
    });

    it('are of the time of the chart, and are read less often than its values', async () => {
      mockAsk.mockResolvedValue({ data: marks(1), serverTime: 1 });
      render();
      await pass(0);
      expect(mockAsk.mock.calls).toHaveLength(1);
      expect(mockAsk.mock.lastCall?.[0]).toBe('getChartMarks');
      expect(mockAsk.mock.lastCall?.[1]).toMatchObject({ params: { id: 1 } });
      // The interval of the page counts until there are data.
      await pass(5_000);
      const asked = mockAsk.mock.calls.length;
      await pass(24_000);
      expect(mockAsk.mock.calls).toHaveLength(asked);
      await pass(6_000);
      expect(mockAsk.mock.calls).toHaveLength(asked + 1);
    });

    it('have keys that the news of an alert finds', () => {
      expect(isChartMarksKey('getChartMarks 1 3600000')).toBe(true);
      expect(isChartMarksKey('vitals 1 spo2 3600000 500')).toBe(false);
    });
  });
});
