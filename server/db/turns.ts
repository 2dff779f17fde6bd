import { setImmediate as turn } from 'node:timers/promises';
import type { Engine } from './engine';
import { createSerialQueue } from './serialQueue';

/** Runs a piece of work that reads much, and resolves with its result. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Creates a function that runs pieces of work one after another, and lets others have the thread after each. SQLite
 * reads in this thread: without it, fifty charts that are asked for at once would be read in one go, and nothing else
 * would be answered meanwhile. PostgreSQL's rows come from outside, those of each query by themselves.
 */
export function createTurns(engine: Engine): InTurn {
  if (engine === 'postgres') {
    return (work) => work();
  }
  const queue = createSerialQueue();
  return (work) =>
    queue(async () => {
      try {
        return await work();
      } finally {
        await turn();
      }
    });
}
