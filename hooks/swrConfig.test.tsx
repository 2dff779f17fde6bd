import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

it('is the one configuration of the page: no hook has intervals of its own', () => {
  const root = join(__dirname, '..');
  const own = ['components', 'hooks', 'lib', 'pages', 'store']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .filter((file) =>
      /<SWRConfig|dedupingInterval|revalidateOn|refreshInterval/.test(readFileSync(join(root, file), 'utf8')),
    );
  // `_app` has the one SWRConfig; what is read once is not polled, and a poll may be off.
  expect(own.sort()).toEqual(['hooks/swrConfig.ts', 'hooks/useOnce.ts', 'hooks/useReadState.ts', 'pages/_app.tsx']);
});
