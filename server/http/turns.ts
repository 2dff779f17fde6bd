import { createFairQueue } from './fairQueue';

/**
 * Creates a function that calls `go` at once for the first `most` calls in a turn of the event loop, and in one of the
 * next turns for the others: one of each address in turn. A hundred connections that each send ten requests at once
 * would otherwise make a turn of a second, and libuv accepts one connection a turn.
 */
export function createTurns(most: number): (address: string, go: () => void) => void {
  const waiting = createFairQueue<() => void>();
  let left = most;
  let isPlanned = false;

  const plan = (): void => {
    if (!isPlanned) {
      isPlanned = true;
      setImmediate(nextTurn);
    }
  };
  const nextTurn = (): void => {
    isPlanned = false;
    for (left = most; left > 0 && !waiting.isEmpty(); left -= 1) {
      waiting.take()?.();
    }
    if (left < most) {
      plan();
    }
  };

  return (address, go) => {
    plan();
    if (left > 0 && waiting.isEmpty()) {
      left -= 1;
      go();
    } else {
      waiting.add(address, go);
    }
  };
}
