import { act, renderHook } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { SWRConfig } from 'swr';
import type { ChartMarks } from '../lib/alerts/chartMarksSchema';
import { noteResponse, thisMoment } from '../lib/browser/serverClock';
import { swrConfig } from './swrConfig';
import { isChartMarksKey, useChartMarks } from './useChartMarks';

const mockAsk = jest.fn<Promise<unknown>, [name: string, input: { query?: unknown; params?: unknown }]>();
jest.mock('../lib/browser/client', () => ({
  ...jest.requireActual<object>('../lib/browser/client'),
  ask: (...given: Parameters<typeof mockAsk>) => mockAsk(...given),
}));

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
