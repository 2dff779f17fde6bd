import { untilHung } from './untilHung';

export type SerialQueue = <T>(work: (givenUp: AbortSignal) => Promise<T>) => Promise<T>;

/** In milliseconds. Nothing in a queue takes as long, also on a slow machine, unless the store does not answer. */
const hungAfterMs = 20_000;

/**
 * Creates a queue: a function that runs callbacks one after another, in the order of its calls. A callback that fails
 * rejects its own call and holds up no other. One that does not end in 20 s rejects with `Hung`, and the next one runs:
 * `givenUp` tells it so if it goes on after all.
 */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = last.then(() => untilHung(hungAfterMs, work));
    last = run.catch(() => undefined);
    return run;
  };
}
