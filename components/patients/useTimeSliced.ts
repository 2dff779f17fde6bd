import { useCallback, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { createListeners } from '../../lib/browser/listeners';

/**
 * A place away from the screen gets one value in so many. With one value a second it is at most this many seconds
 * behind.
 */
const unseenEvery = 10;

/** Several places that each hold a value of their own: a new value at one place renders no other place. */
export interface TimeSliced<Value> {
  shownAt: (place: number) => Value;
  /** Subscribes to the value of one place; returns the function that unsubscribes. */
  subscribeAt: (place: number, listener: () => void) => () => void;
  /** Returns the oldest of the values at the places near the screen; the newest value if no place is near. */
  oldestNear: () => Value;
  subscribeNear: (listener: () => void) => () => void;
  bring: (newest: Value) => void;
  setNear: (near: ReadonlySet<number> | null) => void;
  /** Gives every place the newest value at once. */
  giveAll: () => void;
  stop: () => void;
}

/**
 * Spreads the newest value over `count` places by time slicing: one place a task, and one place a frame near the
 * screen, so that no long task holds up the page. `near` holds the places on or near the screen (null: not known yet,
 * so all of them). Those get every value, and a place that comes near gets the newest at once. The others share the
 * time between, so that a page of hundreds of rows does not spend it on rows off the screen. A newer value goes on
 * from the place that was reached, so every place is served on a slow machine too. Another `whole` reaches all places
 * at once, and so does the newest value before the page is printed. A place reads its value by `useShownAt`.
 */
export function useTimeSliced<Value>(
  newest: Value,
  count: number,
  whole: string,
  near: ReadonlySet<number> | null,
): TimeSliced<Value> {
  const [{ sliced, of }, setSliced] = useState(() => ({ sliced: createTimeSliced(newest, count), of: whole }));
  if (of !== whole) {
    setSliced({ sliced: createTimeSliced(newest, count), of: whole });
  }

  // Before the paint, so that no old value is seen in a row that comes into view.
  useLayoutEffect(() => sliced.setNear(near), [sliced, near]);
  useEffect(() => sliced.bring(newest), [sliced, newest]);
  useEffect(() => {
    const onPrint = (): void => flushSync(sliced.giveAll);
    window.addEventListener('beforeprint', onPrint);
    return () => {
      window.removeEventListener('beforeprint', onPrint);
      sliced.stop();
    };
  }, [sliced]);
  return sliced;
}

/** Returns what one of the places shows now. */
export function useShownAt<Value>(sliced: TimeSliced<Value>, place: number): Value {
  const subscribe = useCallback((listener: () => void) => sliced.subscribeAt(place, listener), [sliced, place]);
  const shown = (): Value => sliced.shownAt(place);
  return useSyncExternalStore(subscribe, shown, shown);
}

/** Returns the newest value that every place near the screen has reached. */
export function useShownNear<Value>(sliced: TimeSliced<Value>): Value {
  return useSyncExternalStore(sliced.subscribeNear, sliced.oldestNear, sliced.oldestNear);
}

function createTimeSliced<Value>(first: Value, count: number): TimeSliced<Value> {
  /** Values are counted from 0 in the order in which they came. */
  let newest = { value: first, order: 0 };
  const shown = Array.from({ length: count }, () => newest);
  const listeners = new Map<number, () => void>();
  const { subscribe: subscribeNear, notify: notifyNear } = createListeners();
  let near: ReadonlySet<number> | null = null;
  let isUnseenNext = false;
  let unseenLeft = 0;
  /** Where the search for the next place starts. */
  const next = { near: 0, unseen: 0 };
  let cancel = (): void => undefined;

  const isUnseen = (place: number): boolean => near !== null && !near.has(place);

  const give = (place: number): void => {
    if (place < count && shown[place] !== newest) {
      shown[place] = newest;
      listeners.get(place)?.();
    }
  };

  /** Returns the first place from `from` on that does not have the newest value yet. */
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

  const runSlice = (): void => {
    const place = nextPlace();
    if (place === undefined) {
      return;
    }
    const unseen = isUnseen(place);
    isUnseenNext = !unseen;
    unseenLeft -= unseen ? 1 : 0;
    next[unseen ? 'unseen' : 'near'] = place + 1;
    give(place);
    notifyNear();
    schedule();
  };

  /**
   * Not in the task that brought the value, which has parsed a response, nor in that of the place before. A slice that
   * was scheduled before is cancelled: it may wait for a frame of a page that is hidden by now.
   */
  const schedule = (): void => {
    cancel();
    const place = nextPlace();
    if (place !== undefined) {
      cancel = (isUnseen(place) ? inNextTask : afterNextFrame)(runSlice);
    }
  };

  return {
    shownAt: (place) => (shown[place] ?? newest).value,
    subscribeAt: (place, listener) => {
      listeners.set(place, listener);
      return () => listeners.delete(place);
    },
    oldestNear: () =>
      shown.reduce((oldest, held, place) => (!isUnseen(place) && held.order < oldest.order ? held : oldest), newest)
        .value,
    subscribeNear,
    bring: (value) => {
      if (value !== newest.value) {
        newest = { value, order: newest.order + 1 };
        unseenLeft = Math.ceil(shown.filter((_, place) => isUnseen(place)).length / unseenEvery);
      }
      schedule();
    },
    setNear: (places) => {
      near = places;
      near?.forEach(give);
      notifyNear();
      schedule();
    },
    giveAll: () => {
      shown.forEach((_, place) => give(place));
      notifyNear();
    },
    stop: () => cancel(),
  };
}

function inNextTask(run: () => void): () => void {
  const timer = setTimeout(run);
  return () => clearTimeout(timer);
}

/**
 * The next frame lays out and paints what is on the screen, so each frame gets one place. A hidden page has no frames.
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
