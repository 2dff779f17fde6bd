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

/** All options of SWR by which a hook could poll otherwise than the rest of the page, or not at all. */
const optionNames = [
  'compare',
  'dedupingInterval',
  'errorRetryCount',
  'errorRetryInterval',
  'focusThrottleInterval',
  'isOnline',
  'isPaused',
  'isVisible',
  'keepPreviousData',
  'onErrorRetry',
  'refreshInterval',
  'refreshWhenHidden',
  'refreshWhenOffline',
  'revalidateIfStale',
  'revalidateOnFocus',
  'revalidateOnMount',
  'revalidateOnReconnect',
  'shouldRetryOnError',
  'suspense',
  'use',
];

describe('the one configuration of the page', () => {
  const root = join(__dirname, '..');
  const sources = ['components', 'hooks', 'lib', 'pages', 'store']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    )
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
  const filesWith = (pattern: RegExp): string[] =>
    sources.flatMap(({ file, text }) => (pattern.test(text) ? [file] : [])).sort();

  it('is given to all pages at one place', () => {
    expect(filesWith(/<SWRConfig/)).toEqual(['pages/_app.tsx']);
    expect(readFileSync(join(root, 'pages/_app.tsx'), 'utf8')).toContain('<SWRConfig value={swrConfig}>');
  });

  it('is that of every hook: two read by SWR, one of them once, and all others by these', () => {
    expect(filesWith(/import useSWR|useSWRImmutable|useSWRInfinite|useSWRSubscription|from 'swr\//)).toEqual([
      'hooks/useOnce.ts',
      'hooks/useReadState.ts',
    ]);
  });

  it('is changed by no hook, but that a list is read less often, or once', () => {
    // As an option is written: `refreshInterval: 0`, or by itself between braces.
    const used = sources
      .filter(({ file, text }) => text.includes("from 'swr'") && file !== 'hooks/swrConfig.ts')
      .flatMap(({ file, text }) =>
        optionNames
          .filter((name) => new RegExp(`\\b${name}\\s*:|useSWR[^;]*[{,]\\s*${name}\\s*[,}]`).test(text))
          .map((name) => `${file} ${name}`),
      );
    expect(used.sort()).toEqual([
      'hooks/useOnce.ts refreshInterval',
      'hooks/useOnce.ts shouldRetryOnError',
      'hooks/useReadState.ts keepPreviousData',
      'hooks/useReadState.ts refreshInterval',
    ]);
  });
});
