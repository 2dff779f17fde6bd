/**
 * Creates a function that calls `go` at once for the first `most` calls in a turn of the event loop, and in one of the
 * next turns for the others: one of each address in turn. A hundred connections that each send ten requests at once
 * would otherwise make a turn of a second, and libuv accepts one connection a turn.
 */
export function createAddressTurns(most: number): (address: string, go: () => void) => void {
  /** By address, in the order of their turns. */
  const waiting = new Map<string, (() => void)[]>();
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
    for (left = most; left > 0 && waiting.size > 0; left -= 1) {
      const [first] = waiting;
      const [address, queue] = first ?? ['', []];
      const go = queue.shift();
      waiting.delete(address);
      if (queue.length > 0) {
        waiting.set(address, queue);
      }
      go?.();
    }
    if (left < most) {
      plan();
    }
  };

  return (address, go) => {
    plan();
    const queue = waiting.get(address);
    if (queue !== undefined) {
      queue.push(go);
    } else if (left > 0 && waiting.size === 0) {
      left -= 1;
      go();
    } else {
      waiting.set(address, [go]);
    }
  };
}
