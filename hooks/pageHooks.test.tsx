import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { act, render as renderScreen, renderHook } from '@testing-library/react';
import { type ReactNode, StrictMode } from 'react';
import useSWR, { SWRConfig } from 'swr';
import { ApiFailure, clientFailure } from '../lib/browser/client';
import { startServerClock } from '../lib/browser/serverClock';
import { setPageVisibility } from '../test/inventedStream';
import { inventedPatient } from '../test/inventedWard';
import { answer, hang, pass, sentCalls } from '../test/network';
import { runHook } from '../test/showScreen';
import { signInPage } from '../test/signInPage';
import type { ReadState } from './readState';
import { refreshEveryMs, swrConfig } from './swrConfig';
import { subscribeToTicks, tickedNow } from './ticker';
import { useEarlierPoll } from './useEarlierPoll';
import { useFrozenValue } from './useFrozenValue';
import { useOnce } from './useOnce';
import { usePatient } from './usePatient';
import { type Fresh, useReadState } from './useReadState';
import { readStoredText, storeText, useStoredText } from './useStoredText';

describe('pageHooks', () => {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <StrictMode>
      <SWRConfig value={swrConfig}>{children}</SWRConfig>
    </StrictMode>
  );
  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

  describe('swrConfig', () => {
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
      await act(() => jest.advanceTimersByTimeAsync(600_000));
      expect(fetcher).toHaveBeenCalledTimes(120);
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
  });

  describe('ticker', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    // The only test of this file, because a clock that has started does not stop.
    it('corrects the time of a page that took long to arrive in the next task, not with the next second', () => {
      const pageTime = 1_770_000_000_000;
      // The browser had to load the page's code before it could run.
      jest.setSystemTime(performance.timeOrigin + 4_200);
      startServerClock(pageTime);
      const listener = jest.fn();
      const end = subscribeToTicks(listener);
      expect(tickedNow()).toBeNull();
      expect(listener).not.toHaveBeenCalled();
      jest.advanceTimersByTime(0);
      expect(listener).toHaveBeenCalledTimes(1);
      expect(tickedNow()).toBe(pageTime + 4_000);
      end();
    });
  });

  describe('a value while lists hold still', () => {
    const start = { value: 'old', frozen: null as number | null };
    const hold = () => renderHook(({ value, frozen }) => useFrozenValue(value, frozen), { initialProps: start });

    it('is the one of the beginning of the freeze, and the new one afterwards', () => {
      const { result, rerender } = hold();
      rerender({ value: 'at the pointer', frozen: 1 });
      rerender({ value: 'new', frozen: 1 });
      expect(result.current).toBe('at the pointer');
      rerender({ value: 'new', frozen: null });
      expect(result.current).toBe('new');
    });

    it('is taken again by a freeze that follows at once', () => {
      const { result, rerender } = hold();
      rerender({ value: 'old', frozen: 1 });
      rerender({ value: 'new', frozen: 2 });
      rerender({ value: 'newest', frozen: 2 });
      expect(result.current).toBe('new');
    });
  });

  describe('useStoredText', () => {
    beforeEach(() => {
      localStorage.clear();
    });

    describe('a stored choice', () => {
      it('is null, and a change returns false, if storage is forbidden', () => {
        const closed = (): never => {
          throw new Error('closed');
        };
        jest.spyOn(Storage.prototype, 'getItem').mockImplementation(closed);
        jest.spyOn(Storage.prototype, 'setItem').mockImplementation(closed);
        expect(readStoredText('choice')).toBeNull();
        expect(storeText('choice', 'one')).toBe(false);
      });

      it('is shown everywhere in this tab at once', () => {
        const { result } = renderHook(() => [useStoredText('choice'), useStoredText('choice'), useStoredText('other')]);
        expect(result.current).toEqual([null, null, null]);
        act(() => {
          expect(storeText('choice', 'one')).toBe(true);
        });
        expect(result.current).toEqual(['one', 'one', null]);
      });

      it('is updated when another tab has changed it, until no component shows it', () => {
        const { result, unmount } = renderHook(() => useStoredText('choice'));
        localStorage.setItem('choice', 'two');
        act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'choice', newValue: 'two' })));
        expect(result.current).toBe('two');
        unmount();
        expect(readStoredText('choice')).toBe('two');
      });
    });
  });

  describe('useOnce', () => {
    const read = jest.fn<Promise<string>, []>();
    const gone = new ApiFailure('not_found', 'No.', { status: 404 });

    beforeEach(() => {
      jest.useFakeTimers();
      read.mockReset();
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    async function render() {
      const { result } = renderHook(() => useOnce('thing', read), {
        wrapper: ({ children }) => <SWRConfig value={swrConfig}>{children}</SWRConfig>,
      });
      await act(async () => {});
      return result;
    }
    /** Lets several intervals of polls pass. */
    const waitLong = () => act(() => jest.advanceTimersByTimeAsync(4 * refreshEveryMs));

    describe('a single read', () => {
      it('stays refused and is not repeated', async () => {
        read.mockRejectedValue(gone);
        const result = await render();
        expect(result.current).toEqual({ data: undefined, failure: gone });
        await waitLong();
        expect(read).toHaveBeenCalledTimes(1);
      });

      it('is repeated until the server can be reached', async () => {
        read.mockRejectedValueOnce(clientFailure('unreachable')).mockResolvedValue('here');
        const result = await render();
        expect(result.current.failure?.code).toBe('unreachable');
        await waitLong();
        expect(result.current).toEqual({ data: 'here', failure: undefined });
      });

      it('is a failure also after an unexpected exception', async () => {
        read.mockRejectedValue(new TypeError('x is undefined'));
        const result = await render();
        expect(result.current.failure?.code).toBe('unreadable_response');
      });

      it('is not repeated after a response', async () => {
        read.mockResolvedValue('here');
        const result = await render();
        await waitLong();
        expect(result.current).toEqual({ data: 'here', failure: undefined });
        expect(read).toHaveBeenCalledTimes(1);
      });
    });
  });

  describe('useReadState', () => {
    type Read = jest.Mock<Promise<Fresh<string>>, [held: string | undefined]>;

    const broken = () => Promise.reject(clientFailure('unreachable'));
    const fresh = (data: string, serverTime: number | null = 1) => Promise.resolve({ data, serverTime });
    const reader = (read: (held: string | undefined) => Promise<Fresh<string>> = () => fresh('first')): Read =>
      jest.fn(read);

    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    const render = (read: Read, key = 'a', fallback?: string) =>
      renderHook<ReadState<string>, { key: string; fallback?: string }>(
        (props) => useReadState(props.key, read, { fallback: props.fallback }),
        {
          wrapper,
          initialProps: { key, fallback },
        },
      );

    describe('the four states of a read', () => {
      it('is loading at first, and nothing else', async () => {
        const { result } = render(reader(() => new Promise(() => {})));
        await pass(60_000);
        expect(result.current).toMatchObject({
          data: undefined,
          error: undefined,
          isLoading: true,
          isRefreshing: false,
          asOf: null,
        });
      });

      it('is an error when the first attempt fails, no longer loading', async () => {
        const { result } = render(reader(broken));
        await pass(0);
        expect(result.current).toMatchObject({ data: undefined, isLoading: false, isRefreshing: false, asOf: null });
        expect(result.current.error).toBeInstanceOf(ApiFailure);
      });

      it('is a named error also after an unexpected exception', async () => {
        const { result } = render(reader(() => Promise.reject(new TypeError('x is undefined'))));
        await pass(0);
        expect(result.current.error).toMatchObject({ code: 'unreadable_response' });
      });

      it('is the data with their time, also while they are refreshed', async () => {
        const read = reader();
        const { result } = render(read);
        await pass(0);
        expect(result.current).toMatchObject({
          data: 'first',
          error: undefined,
          isLoading: false,
          isRefreshing: false,
          asOf: 1,
        });
        read.mockReturnValueOnce(new Promise(() => {}));
        await pass(5_000);
        expect(result.current).toMatchObject({ data: 'first', isLoading: false, isRefreshing: true, asOf: 1 });
      });

      it('keeps the old data and their time beside an error, until a response clears it', async () => {
        const read = reader();
        const { result } = render(read);
        await pass(0);
        read.mockImplementation(broken);
        await pass(5_000);
        expect(result.current).toMatchObject({ data: 'first', asOf: 1, isLoading: false });
        expect(result.current.error?.code).toBe('unreachable');
        read.mockImplementation(() => fresh('second', 2));
        await pass(5_000);
        expect(result.current).toMatchObject({ data: 'second', error: undefined, asOf: 2 });
      });
    });

    describe('what the server says is gone for this user', () => {
      it.each([
        ['not there, or not within reach', 404, 'not_found'],
        ['not allowed any more', 403, 'forbidden'],
      ])('is dropped at once when it is %s, and is back when it is', async (_why, status, code) => {
        const read = reader();
        const { result } = render(read, 'a', 'from the page');
        await pass(0);
        read.mockImplementation(() => Promise.reject(new ApiFailure(code, 'No.', { status })));
        await pass(5_000);
        expect(result.current).toMatchObject({ data: undefined, asOf: null, isLoading: false });
        expect(result.current.error?.code).toBe(code);
        read.mockImplementation(() => fresh('back', 3));
        await pass(5_000);
        expect(result.current).toMatchObject({ data: 'back', error: undefined, asOf: 3 });
      });

      it('stays beside any other refusal, such as that of a proxy', async () => {
        const read = reader();
        const { result } = render(read);
        await pass(0);
        read.mockImplementation(() => Promise.reject(clientFailure('unreadable_response', 404)));
        await pass(5_000);
        expect(result.current).toMatchObject({ data: 'first', asOf: 1 });
      });
    });

    describe('polling', () => {
      it('goes on every 5 s while the server is down for ten minutes, and is live 5 s after its return', async () => {
        const read = reader(broken);
        const { result } = render(read);
        await pass(0);
        read.mockClear();
        await pass(600_000);
        expect(read).toHaveBeenCalledTimes(120);
        read.mockImplementation(() => fresh('back'));
        await pass(5_000);
        expect(result.current.data).toBe('back');
      });

      it.each([
        ['hidden', () => jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')],
        ['offline, as the browser believes', () => window.dispatchEvent(new Event('offline'))],
      ])('goes on every 5 s while the tab is %s', async (_, turn) => {
        const read = reader();
        render(read);
        await pass(0);
        turn();
        read.mockClear();
        await pass(60_000);
        expect(read).toHaveBeenCalledTimes(12);
        window.dispatchEvent(new Event('online'));
      });

      it.each(['focus', 'online', 'visibilitychange'])('is not started by %s', async (event) => {
        const read = reader();
        render(read);
        // After SWR's own pause of 5 s after a start, and in the middle between two polls.
        await pass(7_000);
        read.mockClear();
        (event === 'visibilitychange' ? document : window).dispatchEvent(new Event(event));
        await pass(1_000);
        expect(read).not.toHaveBeenCalled();
      });

      it('waits for a slow response instead of polling twice', async () => {
        const read = reader(
          () => new Promise((resolve) => setTimeout(() => resolve({ data: 'slow', serverTime: 1 }), 7_000)),
        );
        render(read);
        await pass(0);
        read.mockClear();
        await pass(36_000);
        expect(read).toHaveBeenCalledTimes(3);
      });

      it('ends with the screen', async () => {
        const read = reader();
        const { unmount } = render(read);
        await pass(0);
        unmount();
        read.mockClear();
        await pass(60_000);
        expect(read).not.toHaveBeenCalled();
      });

      it('is done once for two parts of a screen, and goes on for one if the other leaves in a failure', async () => {
        const read = reader(broken);
        const { result, rerender } = renderHook(
          ({ key }) => [useReadState(key, read), useReadState('shared', read)] as const,
          {
            wrapper,
            initialProps: { key: 'shared' },
          },
        );
        await pass(5_000);
        read.mockClear();
        let fail: (problem: unknown) => void = () => {};
        read.mockImplementation(() => new Promise((_, reject) => (fail = reject)));
        await pass(5_000);
        expect(read).toHaveBeenCalledTimes(1);
        const failShared = fail;
        rerender({ key: 'other' });
        failShared(clientFailure('unreachable'));
        await pass(0);
        read.mockImplementation(() => fresh('back'));
        await pass(10_000);
        expect(result.current[1].data).toBe('back');
      });

      it('happens at once on request, and a failure is no rejection', async () => {
        const read = reader();
        const { result } = render(read);
        await pass(2_000);
        read.mockImplementation(broken);
        await act(() => result.current.refresh());
        expect(result.current).toMatchObject({ data: 'first', isRefreshing: false });
        expect(result.current.error?.code).toBe('unreachable');
      });
    });

    describe('the held data', () => {
      it('are passed only to the next read of the same key, which may return them', async () => {
        const read = reader();
        const { result, rerender } = render(read);
        await pass(0);
        read.mockClear();
        read.mockImplementation((held) => fresh(held ?? 'none', 2));
        await pass(5_000);
        expect(read).toHaveBeenLastCalledWith('first');
        expect(result.current).toMatchObject({ data: 'first', asOf: 2 });
        rerender({ key: 'b' });
        await pass(0);
        expect(read).toHaveBeenLastCalledWith(undefined);
        expect(result.current.data).toBe('none');
      });

      it('are never shown under another key', async () => {
        const read = reader();
        const { result, rerender } = render(read);
        await pass(0);
        read.mockReturnValue(new Promise(() => {}));
        rerender({ key: 'b' });
        expect(result.current).toMatchObject({ data: undefined, isLoading: true, asOf: null });
      });

      it('stay under the next key with keepPreviousData', async () => {
        const read = reader();
        const { result, rerender } = renderHook(({ key }) => useReadState(key, read, { keepPreviousData: true }), {
          wrapper,
          initialProps: { key: 'a' },
        });
        await pass(0);
        read.mockClear();
        read.mockReturnValue(new Promise(() => {}));
        rerender({ key: 'b' });
        expect(result.current).toMatchObject({ data: 'first', isLoading: false, isRefreshing: true });
        await pass(0);
        expect(read).toHaveBeenCalledWith(undefined);
      });
    });

    describe('the data of the page', () => {
      it('are shown at once, polled at once, and passed to that read', async () => {
        const read = reader();
        const { result } = render(read, 'a', 'page');
        expect(result.current).toMatchObject({ data: 'page', isLoading: false, asOf: null });
        await pass(0);
        expect(read).toHaveBeenCalledWith('page');
        expect(result.current).toMatchObject({ data: 'first', asOf: 1 });
      });

      it('stay beside the error when the first read fails', async () => {
        const { result } = render(reader(broken), 'a', 'page');
        await pass(0);
        expect(result.current).toMatchObject({ data: 'page', asOf: null });
        expect(result.current.error?.code).toBe('unreachable');
      });

      it('replace those of an earlier visit until the first response', async () => {
        const read = reader();
        const shown: (string | undefined)[] = [];
        function Screen({ fallback }: { fallback: string }): ReactNode {
          const { data } = useReadState('a', read, { fallback });
          shown.push(data);
          return null;
        }
        const { rerender } = renderScreen(<Screen key="first visit" fallback="page" />, { wrapper });
        await pass(0);
        rerender(<p>another page</p>);
        await pass(60_000);
        shown.length = 0;
        read.mockImplementation(() => fresh('second', 2));
        rerender(<Screen key="second visit" fallback="newer page" />);
        await pass(1_000);
        expect(shown).not.toContain('first');
        expect(shown[0]).toBe('newer page');
        expect(shown.at(-1)).toBe('second');
      });
    });
  });

  describe('useEarlierPoll', () => {
    const gapMs = 1_000;

    type Read = jest.Mock<Promise<Fresh<number>>, []>;

    let count = 0;
    const reader = (): Read => jest.fn(() => Promise.resolve({ data: (count += 1), serverTime: 1 }));
    const list = reader();
    const otherList = reader();
    const charts = reader();
    const isList = (key: string): boolean => key.startsWith('list');

    beforeEach(() => {
      jest.useFakeTimers();
      setPageVisibility('visible');
    });
    afterEach(() => jest.useRealTimers());

    /** A page with a list twice, another list and charts, `age` milliseconds after their first responses. */
    async function render(age: number, gap = gapMs) {
      const { result, unmount } = renderHook(
        () => {
          useReadState('list 1', list);
          useReadState('list 2', otherList);
          useReadState('charts', charts);
          return { shown: useReadState('list 1', list).data, poll: useEarlierPoll(isList, gap) };
        },
        { wrapper },
      );
      await pass(age);
      for (const read of [list, otherList, charts]) {
        read.mockClear();
      }
      return { shown: () => result.current.shown, poll: () => act(() => result.current.poll()), unmount };
    }

    describe('an early poll', () => {
      it('is not made while the page is hidden, nor later for events of that time', async () => {
        const { poll } = await render(0);
        poll();
        setPageVisibility('hidden');
        await pass(2_000);
        poll();
        setPageVisibility('visible');
        await pass(2_000);
        expect(list).not.toHaveBeenCalled();
        poll();
        await pass(0);
        expect(list).toHaveBeenCalledTimes(1);
      });

      it('is made at once if the last response is a second old, once for each matching key, for no other', async () => {
        const { poll } = await render(1_000);
        poll();
        await pass(0);
        expect([list, otherList, charts].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
      });

      it('is not made within a second of a response, and none is lost', async () => {
        const { poll } = await render(300);
        poll();
        await pass(100);
        poll();
        poll();
        await pass(599);
        expect(list).not.toHaveBeenCalled();
        await pass(1);
        expect(list).toHaveBeenCalledTimes(1);
        await pass(2_000);
        expect(list).toHaveBeenCalledTimes(1);
      });

      it('is made after a shorter gap than that in which SWR merges calls, and then no sooner', async () => {
        const { poll } = await render(250, 250);
        poll();
        await pass(0);
        poll();
        await pass(249);
        expect(list).toHaveBeenCalledTimes(1);
        await pass(1);
        expect(list).toHaveBeenCalledTimes(2);
      });

      it('is not made within a second of a failure', async () => {
        list.mockImplementationOnce(() => Promise.reject(new Error('No.')));
        const { poll } = await render(300);
        poll();
        await pass(699);
        expect(list).not.toHaveBeenCalled();
        await pass(1);
        expect(list).toHaveBeenCalledTimes(1);
      });

      it('waits for a poll that is under way, shows its response, and is made a second after it', async () => {
        const { poll, shown } = await render(1_000);
        let land: () => void = () => {};
        list.mockImplementationOnce(
          () =>
            new Promise((resolve) => {
              land = () => {
                resolve({ data: -1, serverTime: 2 });
              };
            }),
        );
        poll();
        await pass(500);
        poll();
        await pass(1_000);
        expect(list).toHaveBeenCalledTimes(1);
        land();
        await pass(0);
        expect(shown()).toBe(-1);
        await pass(999);
        expect(list).toHaveBeenCalledTimes(1);
        await pass(1);
        expect(list).toHaveBeenCalledTimes(2);
      });

      it('does not delay one key for another, nor poll one twice because another had to wait', async () => {
        const { poll } = await render(1_000);
        let land: () => void = () => {};
        list.mockImplementationOnce(
          () =>
            new Promise((resolve) => {
              land = () => {
                resolve({ data: -1, serverTime: 2 });
              };
            }),
        );
        poll();
        await pass(1_500);
        poll();
        expect(otherList).toHaveBeenCalledTimes(2);
        land();
        await pass(2_000);
        expect(otherList).toHaveBeenCalledTimes(2);
        expect(list).toHaveBeenCalledTimes(2);
      });

      it('is not followed by the regular poll within a second; the others stay every 5 s', async () => {
        const { poll } = await render(4_500);
        poll();
        await pass(1_500);
        expect(list).toHaveBeenCalledTimes(1);
        expect(charts).toHaveBeenCalledTimes(1);
        await pass(4_000);
        expect(list).toHaveBeenCalledTimes(2);
        await pass(5_000);
        expect(list).toHaveBeenCalledTimes(3);
      });

      it('ends with the page', async () => {
        const { poll, unmount } = await render(0);
        poll();
        unmount();
        await pass(2_000);
        expect(list).not.toHaveBeenCalled();
      });
    });
  });
});

describe('usePatient', () => {
  const wait = (ms: number) => act(() => pass(ms));
  const ada = inventedPatient(1, { givenName: 'Ada' });

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  describe('a patient', () => {
    it('is never another one: not the page’s, not the last one, not that of a wrong response', async () => {
      const answerNow = hang('getPatient');
      const { result, rerender } = await runHook(({ id }) => usePatient(id, ada), { id: 2 });
      expect(result.current).toMatchObject({ data: undefined, isLoading: true });
      rerender({ id: 1 });
      expect(result.current.data?.givenName).toBe('Ada');
      answer({ getPatient: () => ({ ...ada, standby: null, comfortCare: null, news2: null }) });
      answerNow();
      rerender({ id: 3 });
      await wait(0);
      expect(result.current.data).toBeUndefined();
      expect(result.current.error?.code).toBe('unreadable_response');
    });

    it('comes with the page and is polled at once and every 5 s', async () => {
      const { server, siteId, user } = await signInPage('nurse');
      const id = await server.addPatient(siteId, { givenName: 'Bea' });
      const answerNow = hang('getPatient');
      const page = { ...ada, id };
      const { result, settle } = await runHook(() => usePatient(id, page), {}, { user });
      expect(result.current).toMatchObject({ isLoading: false, asOf: null });
      expect(result.current.data?.givenName).toBe('Ada');
      answerNow();
      await settle();
      expect(result.current.data?.givenName).toBe('Bea');
      expect(result.current.asOf).toBe(server.now());
      await wait(10_000);
      expect(sentCalls('getPatient')).toHaveLength(3);
    });
  });
});
