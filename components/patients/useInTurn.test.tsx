import { act, renderHook } from '@testing-library/react';
import { useInTurn } from './useInTurn';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const show = (newest: string, turns: number) =>
  renderHook(({ value, whole }: { value: string; whole: string }) => useInTurn(value, turns, whole), {
    initialProps: { value: newest, whole: 'ward' },
  });
const nextTask = () => act(() => jest.advanceTimersToNextTimer());

describe('a value that reaches several places in turn', () => {
  it('is everywhere at first', () => {
    expect(show('one', 3).result.current).toEqual(['one', 'one', 'one']);
  });

  it('reaches one place a task', () => {
    const { result, rerender } = show('one', 3);
    act(() => jest.runAllTimers());
    rerender({ value: 'two', whole: 'ward' });
    expect(result.current).toEqual(['one', 'one', 'one']);
    nextTask();
    expect(result.current).toEqual(['two', 'one', 'one']);
    nextTask();
    expect(result.current).toEqual(['two', 'two', 'one']);
    nextTask();
    expect(result.current).toEqual(['two', 'two', 'two']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('never leaves the last places behind, however often a newer one comes', () => {
    const { result, rerender } = show('0', 4);
    for (let count = 1; count <= 8; count += 1) {
      rerender({ value: String(count), whole: 'ward' });
      nextTask();
    }
    expect(result.current).toEqual(['5', '6', '7', '8']);
  });

  it('reaches all places at once when they stand for something else', () => {
    const { result, rerender } = show('one', 3);
    rerender({ value: 'two', whole: 'another ward' });
    expect(result.current).toEqual(['two', 'two', 'two']);
  });

  it('ends with the screen', () => {
    const { unmount } = show('one', 3);
    unmount();
    expect(jest.getTimerCount()).toBe(0);
  });
});
