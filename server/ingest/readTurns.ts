/** Calls `start` when a body has its turn to be read. Returns a function that ends the turn, or gives it up before. */
export type ReadTurns = (start: () => void) => () => void;

/**
 * Lets `atOnce` long bodies be read at a time, in the order in which they came. What is not read stays in the network,
 * and the kernel hands over a whole body in one piece: 500 bodies of 330 kB that arrive together take the thread for a
 * second. A body that takes longer than `forMs` milliseconds goes on beside the others.
 */
export function createReadTurns(atOnce: number, forMs: number): ReadTurns {
  const waiting = new Set<() => void>();
  let reading = 0;

  const next = (): void => {
    const [first] = waiting;
    if (first !== undefined && reading < atOnce) {
      waiting.delete(first);
      first();
    }
  };

  return (start) => {
    let endReading = (): void => undefined;
    const begin = (): void => {
      reading += 1;
      const timer = setTimeout(() => {
        endReading();
      }, forMs);
      endReading = () => {
        endReading = () => undefined;
        clearTimeout(timer);
        reading -= 1;
        next();
      };
      start();
    };
    waiting.add(begin);
    next();
    return () => {
      waiting.delete(begin);
      endReading();
    };
  };
}
