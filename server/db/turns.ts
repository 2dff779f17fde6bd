export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Returns a function that runs works one after another, in the order in which they are handed in; one that fails holds
 * up none.
 */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
