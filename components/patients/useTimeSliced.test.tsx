import { act, render } from '@testing-library/react';
import { memo, useEffect } from 'react';
import { useShownAt, useShownNear, useTimeSliced, type TimeSliced } from './useTimeSliced';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

interface PlacesProps {
  value: string;
  count?: number;
  whole?: string;
  near?: ReadonlySet<number> | null;
}

/** How often each place was drawn since the test began. */
const drawn = new Map<number, number>();
beforeEach(() => drawn.clear());

const Place = memo(function Place({ sliced, place }: { sliced: TimeSliced<string>; place: number }) {
  drawn.set(place, (drawn.get(place) ?? 0) + 1);
  return <li>{useShownAt(sliced, place)}</li>;
});

/** What all places near the screen had reached, each time that it changed. */
let reached: string[];
beforeEach(() => {
  reached = [];
});
function Near({ sliced }: { sliced: TimeSliced<string> }) {
  const value = useShownNear(sliced);
  useEffect(() => {
    reached.push(value);
  }, [value]);
  return null;
}

function Places({ value, count = 3, whole = 'ward', near = null }: PlacesProps) {
  const sliced = useTimeSliced(value, count, whole, near);
  return (
    <>
      {Array.from({ length: count }, (_, place) => (
        <Place key={place} sliced={sliced} place={place} />
      ))}
      <Near sliced={sliced} />
    </>
  );
}

function show(first: PlacesProps) {
  const { container, rerender, unmount } = render(<Places {...first} />);
  return {
    shown: () => [...container.querySelectorAll('li')].map(({ textContent }) => textContent),
    bring: (change: PlacesProps) => rerender(<Places {...first} {...change} />),
    unmount,
  };
}

/** A frame and the task after it: one slice. */
const nextSlice = () => act(() => jest.advanceTimersByTime(17));
function everySlice(): void {
  while (jest.getTimerCount() > 0) {
    nextSlice();
  }
}

describe('a value that reaches several places by time slicing', () => {
  it('is everywhere at first', () => {
    expect(show({ value: 'one' }).shown()).toEqual(['one', 'one', 'one']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('reaches one place a frame, and the next one only when that is drawn', () => {
    const { shown, bring } = show({ value: 'one' });
    bring({ value: 'two' });
    expect(shown()).toEqual(['one', 'one', 'one']);
    nextSlice();
    expect(shown()).toEqual(['two', 'one', 'one']);
    expect(jest.getTimerCount()).toBe(1);
    nextSlice();
    expect(shown()).toEqual(['two', 'two', 'one']);
    nextSlice();
    expect(shown()).toEqual(['two', 'two', 'two']);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('draws nothing of the other places', () => {
    const { bring } = show({ value: 'one' });
    bring({ value: 'two' });
    nextSlice();
    expect([...drawn.values()]).toEqual([2, 1, 1]);
  });

  it('never leaves the last places behind, however often a newer one comes', () => {
    const { shown, bring } = show({ count: 4, value: '0' });
    for (let count = 1; count <= 8; count += 1) {
      bring({ value: String(count) });
      nextSlice();
    }
    expect(shown()).toEqual(['5', '6', '7', '8']);
  });

  it('reaches all places at once if they show something else', () => {
    const { shown, bring } = show({ value: 'one' });
    bring({ value: 'two', whole: 'another ward' });
    expect(shown()).toEqual(['two', 'two', 'two']);
  });

  it('reaches all places at once before they are printed', () => {
    const { shown, bring } = show({ count: 9, value: 'one', near: new Set([0]) });
    bring({ value: 'two' });
    act(() => {
      window.dispatchEvent(new Event('beforeprint'));
    });
    expect(shown()).toEqual(Array(9).fill('two'));
  });

  it('waits for no frame on a hidden page, which stays new', () => {
    jest.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    jest.spyOn(window, 'requestAnimationFrame').mockReturnValue(0);
    const { shown, bring } = show({ value: 'one' });
    bring({ value: 'two' });
    everySlice();
    expect(shown()).toEqual(['two', 'two', 'two']);
  });

  it('gives up a frame that it waits for when the page is hidden before it comes', () => {
    jest.spyOn(window, 'requestAnimationFrame').mockReturnValue(0);
    const { shown, bring } = show({ value: 'one' });
    bring({ value: 'two' });
    jest.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    bring({ value: 'three' });
    everySlice();
    expect(shown()).toEqual(['three', 'three', 'three']);
  });

  it('ends with the screen', () => {
    const { bring, unmount } = show({ value: 'one' });
    bring({ value: 'two' });
    unmount();
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('places off the screen', () => {
  const near = new Set([0, 1]);

  it('get every tenth value, those near get each', () => {
    const { shown, bring } = show({ count: 22, value: '0', near });
    const behind: number[][] = [];
    for (let count = 1; count <= 30; count += 1) {
      bring({ value: String(count) });
      everySlice();
      behind.push(shown().map((value) => count - Number(value)));
    }
    expect(behind.every(([first, second]) => first === 0 && second === 0)).toBe(true);
    expect(Math.max(...behind.flat())).toBe(9);
  });

  it('share the time with those near, so that neither waits for ever on a slow machine', () => {
    const { shown, bring } = show({ count: 6, value: '0', near });
    for (let count = 1; count <= 16; count += 1) {
      bring({ value: String(count) });
      nextSlice();
    }
    expect(
      shown()
        .map(Number)
        .every((value) => value >= 9),
    ).toBe(true);
  });

  it('get the newest at once when they come near', () => {
    const { shown, bring } = show({ count: 8, value: 'one', near });
    bring({ value: 'two' });
    bring({ value: 'two', near: new Set([6, 7]) });
    expect(shown()).toEqual(['one', 'one', 'one', 'one', 'one', 'one', 'two', 'two']);
  });
});

describe('the value that all places near the screen have reached', () => {
  const near = new Set([0, 1]);

  it('is a new one as soon as the last of them shows it, without those off the screen', () => {
    const { shown, bring } = show({ count: 40, value: 'one', near });
    bring({ value: 'two' });
    nextSlice();
    expect(reached).toEqual(['one']);
    while (shown()[1] !== 'two') {
      nextSlice();
    }
    expect(reached).toEqual(['one', 'two']);
    expect(shown()).toContain('one');
  });

  it('moves on, although a newer one always comes before the last of them is reached', () => {
    const { bring } = show({ count: 3, value: '0' });
    for (let count = 1; count <= 6; count += 1) {
      bring({ value: String(count) });
      nextSlice();
    }
    expect(reached).toEqual(['0', '1', '2', '3', '4']);
  });

  it('is the newest at once before the page is printed', () => {
    const { bring } = show({ count: 9, value: 'one', near });
    bring({ value: 'two' });
    act(() => {
      window.dispatchEvent(new Event('beforeprint'));
    });
    expect(reached).toEqual(['one', 'two']);
  });
});
