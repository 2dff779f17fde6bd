import { act, renderHook } from '@testing-library/react';
import { StrictMode, type ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { inventedAlerts } from '../test/inventedAlert';
import { setPageVisibility } from '../test/inventedStream';
import { swrConfig } from './swrConfig';
import { useAlerts } from './useAlerts';
import { useAlertsRefresh } from './useAlertsRefresh';
import { useAnswer } from './useAnswer';

const mockAsk = jest.fn<Promise<unknown>, [name: string, input: object]>();
jest.mock('../lib/api/client', () => ({
  ...jest.requireActual<object>('../lib/api/client'),
  ask: (...given: Parameters<typeof mockAsk>) => mockAsk(...given),
}));

const other = jest.fn(() => Promise.resolve({ value: 1, asOf: 1 }));
const answer = () => ({ data: inventedAlerts([], { version: String(mockAsk.mock.calls.length) }), serverTime: 1 });

beforeEach(() => {
  jest.useFakeTimers();
  setPageVisibility('visible');
  other.mockClear();
  mockAsk.mockReset().mockImplementation(() => Promise.resolve(answer()));
});
afterEach(() => jest.useRealTimers());

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

const wrapper = ({ children }: { children: ReactNode }) => (
  <StrictMode>
    <SWRConfig value={swrConfig}>{children}</SWRConfig>
  </StrictMode>
);

/** A screen with the alerts twice and something else; its first answers are there. */
async function render(): Promise<{ refresh: () => void; version: () => string | undefined }> {
  const { result } = renderHook(
    () => {
      useAlerts();
      useAnswer('vitals 1', other);
      return { version: useAlerts().data?.version, refresh: useAlertsRefresh() };
    },
    { wrapper },
  );
  await pass(0);
  mockAsk.mockClear();
  other.mockClear();
  return { refresh: () => act(() => result.current.refresh()), version: () => result.current.version };
}

describe('news of the alerts', () => {
  it('are not asked for while nobody can see them', async () => {
    const { refresh } = await render();
    setPageVisibility('hidden');
    refresh();
    await pass(2_000);
    expect(mockAsk).not.toHaveBeenCalled();
  });

  it('are asked for at once, and nothing else is', async () => {
    const { refresh } = await render();
    refresh();
    await pass(0);
    expect(mockAsk).toHaveBeenCalledTimes(1);
    expect(other).not.toHaveBeenCalled();
  });

  it('are asked for every 500 ms at most, and none is lost', async () => {
    const { refresh } = await render();
    refresh();
    await pass(100);
    refresh();
    refresh();
    await pass(399);
    expect(mockAsk).toHaveBeenCalledTimes(1);
    await pass(1);
    expect(mockAsk).toHaveBeenCalledTimes(2);
    await pass(1_000);
    expect(mockAsk).toHaveBeenCalledTimes(2);
  });

  it('wait for an answer that is on its way, show it, and are asked for after it', async () => {
    const { refresh, version } = await render();
    let land: () => void = () => {};
    mockAsk.mockImplementationOnce(
      () =>
        new Promise((resolve) => {
          land = () => {
            resolve({ data: inventedAlerts([], { version: 'late' }), serverTime: 2 });
          };
        }),
    );
    refresh();
    await pass(500);
    refresh();
    await pass(1_500);
    expect(mockAsk).toHaveBeenCalledTimes(1);
    land();
    await pass(0);
    expect(version()).toBe('late');
    await pass(500);
    expect(mockAsk).toHaveBeenCalledTimes(2);
  });
});
