import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** A place that nobody can see gets one newest value in so many: with one each second it lags behind by this many seconds at most. */
const unseenEvery = 4;

/**
 * Gives the newest value to `turns` places one after the other, each in a task of its own and those near the screen in a frame
 * of its own, so that what all of them draw never holds up the page at once. `near` are those that can be seen or soon will be
 * (null: not known, so any might): each of them gets every value, and at once when it comes near. The others take turns beside
 * them, so that a page of hundreds of rows does not spend its time on what nobody sees. When a newer value comes meanwhile they
 * go on from the place that was reached: every place gets its turn, however slow the machine is. Another `whole` reaches all
 * places at once, and so does the newest value before the page is printed.
 */
export function useInTurn<Value>(newest: Value, turns: number, whole: string, near: ReadonlySet<number> | null): readonly Value[] {
  const [shown, setShown] = useState({ whole, values: places(newest, turns) });
  if (shown.whole !== whole) {
    setShown({ whole, values: places(newest, turns) });
  }
  const { values } = shown;
  const progress = useRef({ newest, isUnseenNext: false, unseenLeft: 0, next: { near: 0, unseen: 0 } });

  const give = useRef<((isFor: (place: number) => boolean) => void) | null>(null);
  useLayoutEffect(() => {
    give.current = (isFor) => {
      setShown((last) => {
        const given = last.values.map((value, place) => (isFor(place) ? newest : value));
        return given.every((value, place) => value === last.values[place]) ? last : { ...last, values: given };
      });
    };
  });

  // Before anybody sees how old it was.
  useLayoutEffect(() => {
    give.current?.((place) => near?.has(place) === true);
  }, [near]);

  useEffect(() => {
    const onPrint = (): void => {
      flushSync(() => {
        give.current?.(() => true);
      });
    };
    window.addEventListener('beforeprint', onPrint);
    return () => window.removeEventListener('beforeprint', onPrint);
  }, []);

  useEffect(() => {
    const state = progress.current;
    const isUnseen = (place: number): boolean => near !== null && !near.has(place);
    if (state.newest !== newest) {
      state.newest = newest;
      state.unseenLeft = Math.ceil(values.filter((_, place) => isUnseen(place)).length / unseenEvery);
    }
    /** The next place from there on that waits for the newest value. */
    const waiting = (from: number, isOf: (place: number) => boolean): number | undefined =>
      values.map((_, step) => (from + step) % turns).find((place) => isOf(place) && values[place] !== newest);
    const nearPlace = waiting(state.next.near, (place) => !isUnseen(place));
    const unseenPlace = state.unseenLeft > 0 ? waiting(state.next.unseen, isUnseen) : undefined;
    const place = state.isUnseenNext ? (unseenPlace ?? nearPlace) : (nearPlace ?? unseenPlace);
    if (place === undefined) {
      return undefined;
    }
    // Not in the task that brought the value, which has had the answer of a poll to read, nor in that of the place before.
    return (isUnseen(place) ? inNextTask : afterNextFrame)(() => {
      const taken = isUnseen(place);
      state.isUnseenNext = !taken;
      state.unseenLeft -= taken ? 1 : 0;
      state.next[taken ? 'unseen' : 'near'] = place + 1;
      give.current?.((one) => one === place);
    });
  }, [newest, turns, values, near]);
  return values;
}

function inNextTask(run: () => void): () => void {
  const timer = setTimeout(run);
  return () => clearTimeout(timer);
}

/** What can be seen is laid out and painted in the frame that follows: that of one place at a time. A hidden page draws no frames. */
function afterNextFrame(run: () => void): () => void {
  if (document.hidden) {
    return inNextTask(run);
  }
  let cancel = (): void => undefined;
  const frame = requestAnimationFrame(() => {
    cancel = inNextTask(run);
  });
  return () => {
    cancelAnimationFrame(frame);
    cancel();
  };
}

function places<Value>(value: Value, turns: number): readonly Value[] {
  return Array.from({ length: turns }, () => value);
}
