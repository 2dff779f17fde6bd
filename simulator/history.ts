const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** How far back the ward remembers when it opens, and how much of that in whole seconds. */
export const historyMs = 24 * hour;
const secondsForMs = hour;
/** Older history comes a value a minute, half an hour a call. */
const oldBlockMs = 30 * minute;

/** The instants of one call of one gateway, epoch milliseconds. */
export type Block = readonly number[];

/**
 * Cuts the day before `until` (epoch milliseconds) into calls, newest first: the last hour a minute a call with every
 * second, the rest half an hour a call with every minute. `isTold` names epoch minutes that need not be sent again.
 */
export function* historyBlocks(until: number, isTold: (minute: number) => boolean): Generator<Block> {
  const begin = Math.ceil((until - historyMs) / minute) * minute;
  const secondsFrom = Math.floor((until - secondsForMs) / minute) * minute;
  for (let from = Math.floor(until / minute) * minute; from >= secondsFrom; from -= minute) {
    if (!isTold(from / minute)) {
      yield instants(from, Math.min(from + minute, until), second);
    }
  }
  for (let to = secondsFrom; to > begin; to -= oldBlockMs) {
    yield instants(Math.max(begin, to - oldBlockMs), to, minute).filter((at) => !isTold(at / minute));
  }
}

/** Every instant of a step from the first one on, before the last one. */
export function instants(from: number, before: number, step: number): number[] {
  return Array.from({ length: Math.max(0, Math.ceil((before - from) / step)) }, (_, index) => from + index * step);
}

/**
 * Takes the epoch minutes with samples in the store, and returns the test for those that need not be sent again. The
 * first and the last minute of a stretch may be incomplete, so they are sent again: what is there counts as a
 * duplicate.
 */
export function wholeMinutes(stored: ReadonlySet<number>): (minute: number) => boolean {
  return (at) => stored.has(at - 1) && stored.has(at) && stored.has(at + 1);
}
