import { useEffect, useRef, useState } from 'react';

/**
 * Gives the newest value to one of `turns` places after the other, each in a task of its own, so that what all of them draw
 * never holds up the page at once. When a newer value comes meanwhile it goes on from the place it had reached: every place
 * gets its turn, however slow the machine is. Another `whole` reaches all places at once.
 */
export function useInTurn<Value>(newest: Value, turns: number, whole: string): readonly Value[] {
  const [shown, setShown] = useState({ whole, values: places(newest, turns) });
  const next = useRef(0);
  if (shown.whole !== whole) {
    setShown({ whole, values: places(newest, turns) });
  }

  useEffect(() => {
    let left = turns;
    const step = (): void => {
      const place = next.current % turns;
      next.current = place + 1;
      left -= 1;
      setShown((last) => {
        if (last.values[place] === newest) {
          return last;
        }
        return { ...last, values: last.values.map((value, index) => (index === place ? newest : value)) };
      });
      if (left > 0) {
        timer = setTimeout(step);
      }
    };
    // Not in the task that brought the value, which has had the answer of a poll to read.
    let timer = setTimeout(step);
    return () => clearTimeout(timer);
  }, [newest, turns, whole]);
  return shown.values;
}

function places<Value>(value: Value, turns: number): readonly Value[] {
  return Array.from({ length: turns }, () => value);
}
