import { act, renderHook } from '@testing-library/react';
import useSWR, { SWRConfig } from 'swr';
import { swrConfig } from './swrConfig';

it('has the intervals of the product spec', () => {
  expect(swrConfig).toMatchObject({
    refreshInterval: 5_000,
    dedupingInterval: 1_000,
    revalidateOnFocus: false,
    revalidateOnReconnect: false,
    refreshWhenHidden: true,
    refreshWhenOffline: true,
  });
});

it('polls every 5 s without end, also after a fetcher has rejected', async () => {
  jest.useFakeTimers();
  const fetcher = jest.fn(() => Promise.reject(new Error('No.')));
  renderHook(() => useSWR('a', fetcher), {
    wrapper: ({ children }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>,
  });
  await act(() => jest.advanceTimersByTimeAsync(0));
  fetcher.mockClear();
  await act(() => jest.advanceTimersByTimeAsync(3_600_000));
  expect(fetcher).toHaveBeenCalledTimes(720);
  jest.useRealTimers();
});
