import { act, renderHook } from '@testing-library/react';
import { StrictMode, type ReactNode } from 'react';
import { SWRConfig } from 'swr';
import { setPageVisibility } from '../test/inventedStream';
import { swrConfig } from './swrConfig';
import { useReadState, type Fresh } from './useReadState';
import { useEarlierPoll } from './useEarlierPoll';

const gapMs = 1_000;

type Read = jest.Mock<Promise<Fresh<number>>, []>;

let count = 0;
const reader = (): Read => jest.fn(() => Promise.resolve({ value: (count += 1), asOf: 1 }));
const list = reader();
const otherList = reader();
const charts = reader();
const isList = (key: string): boolean => key.startsWith('list');

beforeEach(() => {
  jest.useFakeTimers();
  setPageVisibility('visible');
});
afterEach(() => jest.useRealTimers());

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

const wrapper = ({ children }: { children: ReactNode }) => (
  <StrictMode>
    <SWRConfig value={swrConfig}>{children}</SWRConfig>
  </StrictMode>
);

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

  it('is made at once if the last response is a second old, once for each matching key and for no other', async () => {
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
            resolve({ value: -1, asOf: 2 });
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
            resolve({ value: -1, asOf: 2 });
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
