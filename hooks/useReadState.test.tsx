import { act, render as renderScreen, renderHook } from '@testing-library/react';
import { StrictMode, type ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { ApiFailure, clientFailure } from '../lib/browser/client';
import type { ReadState } from './readState';
import { swrConfig } from './swrConfig';
import { useReadState, type Fresh } from './useReadState';

type Read = jest.Mock<Promise<Fresh<string>>, [held: string | undefined]>;

const wrapper = ({ children }: { children: ReactNode }) => (
  <StrictMode>
    <SWRConfig value={swrConfig}>{children}</SWRConfig>
  </StrictMode>
);

const broken = () => Promise.reject(clientFailure('unreachable'));
const fresh = (value: string, asOf: number | null = 1) => Promise.resolve({ value, asOf });
const reader = (read: (held: string | undefined) => Promise<Fresh<string>> = () => fresh('first')): Read =>
  jest.fn(read);

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

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
  it('goes on every 5 s while the server is down for an hour, and is live within 5 s of its return', async () => {
    const read = reader(broken);
    const { result } = render(read);
    await pass(0);
    read.mockClear();
    await pass(3_600_000);
    expect(read).toHaveBeenCalledTimes(720);
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
    const read = reader(() => new Promise((resolve) => setTimeout(() => resolve({ value: 'slow', asOf: 1 }), 7_000)));
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

  it('is done once for two parts of a screen, and goes on for one when the other leaves during a failure', async () => {
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
