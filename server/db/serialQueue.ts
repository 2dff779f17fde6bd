export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Creates a queue: a function that runs callbacks one after another, in the order of its calls. A callback that fails
 * rejects its own call and holds up no other.
 */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = last.then(work);
    last = run.catch(() => undefined);
    return run;
  };
}
