import { act, renderHook } from '@testing-library/react';
import { useInTurn } from './useInTurn';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

interface Props {
  value: string;
  whole?: string;
  near?: ReadonlySet<number> | null;
}
const show = (turns: number, initialProps: Props) =>
  renderHook(({ value, whole = 'ward', near = null }: Props) => useInTurn(value, turns, whole, near), { initialProps });
/** A frame and the task after it; what is drawn in between waits for the next. */
const nextTurn = () => act(() => jest.advanceTimersByTime(17));
function everyTurn(): void {
  while (jest.getTimerCount() > 0) {
    nextTurn();
  }
}

describe('a value that reaches several places in turn', () => {
  it('is everywhere at first', () => {
    expect(show(3, { value: 'one' }).result.current).toEqual(['one', 'one', 'one']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('reaches one place a frame, and the next one only when that is drawn', () => {
    const { result, rerender } = show(3, { value: 'one' });
    rerender({ value: 'two' });
    expect(result.current).toEqual(['one', 'one', 'one']);
    nextTurn();
    expect(result.current).toEqual(['two', 'one', 'one']);
    expect(jest.getTimerCount()).toBe(1);
    nextTurn();
    expect(result.current).toEqual(['two', 'two', 'one']);
    nextTurn();
    expect(result.current).toEqual(['two', 'two', 'two']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('never leaves the last places behind, however often a newer one comes', () => {
    const { result, rerender } = show(4, { value: '0' });
    for (let count = 1; count <= 8; count += 1) {
      rerender({ value: String(count) });
      nextTurn();
    }
    expect(result.current).toEqual(['5', '6', '7', '8']);
  });

  it('reaches all places at once when they stand for something else', () => {
    const { result, rerender } = show(3, { value: 'one' });
    rerender({ value: 'two', whole: 'another ward' });
    expect(result.current).toEqual(['two', 'two', 'two']);
  });

  it('reaches all places at once before they are printed', () => {
    const { result, rerender } = show(9, { value: 'one', near: new Set([0]) });
    rerender({ value: 'two', near: new Set([0]) });
    act(() => {
      window.dispatchEvent(new Event('beforeprint'));
    });
    expect(result.current).toEqual(Array(9).fill('two'));
  });

  it('waits for no frame where none is drawn: a page that nobody looks at stays new', () => {
    jest.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    jest.spyOn(window, 'requestAnimationFrame').mockReturnValue(0);
    const { result, rerender } = show(3, { value: 'one' });
    rerender({ value: 'two' });
    everyTurn();
    expect(result.current).toEqual(['two', 'two', 'two']);
  });

  it('ends with the screen', () => {
    const { rerender, unmount } = show(3, { value: 'one' });
    rerender({ value: 'two' });
    unmount();
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('places that nobody can see', () => {
  const near = new Set([0, 1]);

  it('get every fourth value, those near get each', () => {
    const { result, rerender } = show(10, { value: '0', near });
    const behind: number[][] = [];
    for (let count = 1; count <= 12; count += 1) {
      rerender({ value: String(count), near });
      everyTurn();
      behind.push(result.current.map((value) => count - Number(value)));
    }
    expect(behind.every(([first, second]) => first === 0 && second === 0)).toBe(true);
    expect(Math.max(...behind.flat())).toBe(3);
  });

  it('take turns with those near, so that neither waits for ever on a slow machine', () => {
    const { result, rerender } = show(6, { value: '0', near });
    for (let count = 1; count <= 16; count += 1) {
      rerender({ value: String(count), near });
      nextTurn();
    }
    expect(result.current.map(Number).every((value) => value >= 9)).toBe(true);
  });

  it('get the newest at once when they come near', () => {
    const { result, rerender } = show(8, { value: 'one', near });
    rerender({ value: 'two', near });
    rerender({ value: 'two', near: new Set([6, 7]) });
    expect(result.current).toEqual(['one', 'one', 'one', 'one', 'one', 'one', 'two', 'two']);
  });
});
