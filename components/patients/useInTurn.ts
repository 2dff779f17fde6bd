import { useCallback, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

/**
 * A place that nobody can see gets one newest value in so many: with one each second it lags behind by this many
 * seconds at most.
 */
const unseenEvery = 10;

/** What several places show: each its own value, so that what is new at one draws nothing of the others. */
export interface Turns<Value> {
  shownAt: (place: number) => Value;
  /** Tells one listener of a place that it shows another value; returns what ends that. */
  listen: (place: number, listener: () => void) => () => void;
  bring: (newest: Value) => void;
  setNear: (near: ReadonlySet<number> | null) => void;
  /** Gives every place the newest value at once. */
  giveAll: () => void;
  stop: () => void;
}

/**
 * Gives the newest value to `count` places one after the other, each in a task of its own and those near the screen in
 * a frame of its own, so that what all of them draw never holds up the page at once. `near` are those that can be seen
 * or soon will be (null: not known, so any might): each of them gets every value, and at once when it comes near. The
 * others take turns beside them, so that a page of hundreds of rows does not spend its time on what nobody sees. When a
 * newer value comes meanwhile they go on from the place that was reached: every place gets its turn, however slow the
 * machine is. Another `whole` reaches all places at once, and so does the newest value before the page is printed. A
 * place reads its value by `useShownAt`.
 */
export function useInTurn<Value>(
  newest: Value,
  count: number,
  whole: string,
  near: ReadonlySet<number> | null,
): Turns<Value> {
  const [{ turns, of }, setTurns] = useState(() => ({ turns: takeTurns(newest, count), of: whole }));
  if (of !== whole) {
    setTurns({ turns: takeTurns(newest, count), of: whole });
  }

  // Before anybody sees how old it was.
  useLayoutEffect(() => turns.setNear(near), [turns, near]);
  useEffect(() => turns.bring(newest), [turns, newest]);
  useEffect(() => {
    const onPrint = (): void => flushSync(turns.giveAll);
    window.addEventListener('beforeprint', onPrint);
    return () => {
      window.removeEventListener('beforeprint', onPrint);
      turns.stop();
    };
  }, [turns]);
  return turns;
}

/** What one of the places shows now. */
export function useShownAt<Value>(turns: Turns<Value>, place: number): Value {
  const listen = useCallback((listener: () => void) => turns.listen(place, listener), [turns, place]);
  const shown = (): Value => turns.shownAt(place);
  return useSyncExternalStore(listen, shown, shown);
}

function takeTurns<Value>(first: Value, count: number): Turns<Value> {
  const shown = Array.from({ length: count }, () => first);
  const listeners = new Map<number, () => void>();
  let newest = first;
  let near: ReadonlySet<number> | null = null;
  let isUnseenNext = false;
  let unseenLeft = 0;
  /** Where the next turn is looked for. */
  const next = { near: 0, unseen: 0 };
  let cancel = (): void => undefined;

  const isUnseen = (place: number): boolean => near !== null && !near.has(place);

  const give = (place: number): void => {
    if (place < count && shown[place] !== newest) {
      shown[place] = newest;
      listeners.get(place)?.();
    }
  };

  /** The next place from there on that waits for the newest value. */
  const waiting = (from: number, isOf: (place: number) => boolean): number | undefined => {
    for (let step = 0; step < count; step += 1) {
      const place = (from + step) % count;
      if (shown[place] !== newest && isOf(place)) {
        return place;
      }
    }
    return undefined;
  };

  const nextPlace = (): number | undefined => {
    const nearPlace = waiting(next.near, (place) => !isUnseen(place));
    const unseenPlace = unseenLeft > 0 ? waiting(next.unseen, isUnseen) : undefined;
    return isUnseenNext ? (unseenPlace ?? nearPlace) : (nearPlace ?? unseenPlace);
  };

  const takeTurn = (): void => {
    const place = nextPlace();
    if (place === undefined) {
      return;
    }
    const taken = isUnseen(place);
    isUnseenNext = !taken;
    unseenLeft -= taken ? 1 : 0;
    next[taken ? 'unseen' : 'near'] = place + 1;
    give(place);
    goOn();
  };

  /**
   * Not in the task that brought the value, which has had the answer of a poll to read, nor in that of the place
   * before. What was waited for is given up: it may be a frame of a page that is hidden by now.
   */
  const goOn = (): void => {
    cancel();
    const place = nextPlace();
    if (place !== undefined) {
      cancel = (isUnseen(place) ? inNextTask : afterNextFrame)(takeTurn);
    }
  };

  return {
    shownAt: (place) => shown[place] ?? newest,
    listen: (place, listener) => {
      listeners.set(place, listener);
      return () => listeners.delete(place);
    },
    bring: (value) => {
      if (value !== newest) {
        newest = value;
        unseenLeft = Math.ceil(shown.filter((_, place) => isUnseen(place)).length / unseenEvery);
      }
      goOn();
    },
    setNear: (places) => {
      near = places;
      near?.forEach(give);
      goOn();
    },
    giveAll: () => shown.forEach((_, place) => give(place)),
    stop: () => cancel(),
  };
}

function inNextTask(run: () => void): () => void {
  const timer = setTimeout(run);
  return () => clearTimeout(timer);
}

/**
 * What can be seen is laid out and painted in the frame that follows: that of one place at a time. A hidden page draws
 * no frames.
 */
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
