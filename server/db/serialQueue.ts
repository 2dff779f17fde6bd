export type SerialQueue = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Returns a function that runs works one after another, in the order in which they are handed in; one that fails holds
 * up none.
 */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = last.then(work);
    last = run.catch(() => undefined);
    return run;
  };
}
