import { getOrAdd } from '../../lib/getOrAdd';

/** A queue in which each of those who wait has its turn, however much one of them has in it. */
export interface FairQueue<Item> {
  /** Adds something of somebody, for example of an address. */
  add(of: string, item: Item): void;
  /** Removes and returns the oldest thing of the next in turn; undefined if the queue is empty. */
  take(): Item | undefined;
  isEmpty(): boolean;
}

/** Creates an empty queue. */
export function createFairQueue<Item>(): FairQueue<Item> {
  /** In the order of their turns. */
  const waiting = new Map<string, Item[]>();
  return {
    add: (of, item) => {
      getOrAdd(waiting, of, () => []).push(item);
    },
    take: () => {
      const [[of, own] = ['', []]] = waiting;
      const item = own.shift();
      waiting.delete(of);
      if (own.length > 0) {
        waiting.set(of, own);
      }
      return item;
    },
    isEmpty: () => waiting.size === 0,
  };
}
