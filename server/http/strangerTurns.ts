import type { FastifyRequest } from 'fastify';
import { createFairQueue } from './fairQueue';

/** Does work for a request of somebody who is not signed in once it has its turn, and resolves with its result. */
export type StrangerTurns = <Result>(request: FastifyRequest, work: () => Promise<Result>) => Promise<Result>;

/**
 * Lets one piece of work at a time be done for people who are not signed in, and others in between (`letOthers`): a
 * page takes the thread for tens of milliseconds, and anybody can ask for a thousand. Addresses take turns. What waits
 * costs nothing and is bounded by the connections. Work that takes longer than `forMs` milliseconds, because its client
 * does not read, goes on beside the next.
 */
export function createStrangerTurns(
  forMs: number,
  letOthers: () => Promise<unknown>,
): <Result>(address: string, work: () => Promise<Result>) => Promise<Result> {
  const waiting = createFairQueue<() => void>();
  let isBusy = false;

  const next = (): void => {
    const begin = isBusy ? undefined : waiting.take();
    if (begin !== undefined) {
      isBusy = true;
      begin();
    }
  };
  const goOn = async (): Promise<void> => {
    await letOthers();
    isBusy = false;
    next();
  };

  return async (address, work) => {
    await new Promise<void>((begin) => {
      waiting.add(address, begin);
      next();
    });
    let isOver = false;
    const end = (): void => {
      if (!isOver) {
        isOver = true;
        void goOn();
      }
    };
    const timer = setTimeout(end, forMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      end();
    }
  };
}
