import type { EpochMs } from '../lib/time/epochMs';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** The length of the history that the ward has when it opens, and the part of it with a value every second. */
export const historyMs = 24 * hour;
const secondsForMs = hour;
/** Older history has a value every minute. One call sends half an hour of it. */
const oldBlockMs = 30 * minute;

/** The instants of one call of one gateway. */
export type Block = readonly EpochMs[];

/**
 * Divides the day before `until` into calls, newest first. A call has a minute of the last hour with every second, or
 * half an hour of the rest with every minute. `isSent` returns whether an epoch minute need not be sent again.
 */
export function* historyBlocks(until: EpochMs, isSent: (minute: number) => boolean): Generator<Block> {
  const begin = Math.ceil((until - historyMs) / minute) * minute;
  const secondsFrom = Math.floor((until - secondsForMs) / minute) * minute;
  for (let from = Math.floor(until / minute) * minute; from >= secondsFrom; from -= minute) {
    if (!isSent(from / minute)) {
      yield instants(from, Math.min(from + minute, until), second);
    }
  }
  for (let to = secondsFrom; to > begin; to -= oldBlockMs) {
    yield instants(Math.max(begin, to - oldBlockMs), to, minute).filter((at) => !isSent(at / minute));
  }
}

/** Returns the instants from `from` on, a step apart, before `before`. */
export function instants(from: EpochMs, before: EpochMs, step: number): EpochMs[] {
  return Array.from({ length: Math.max(0, Math.ceil((before - from) / step)) }, (_, index) => from + index * step);
}

/**
 * Returns whether an epoch minute need not be sent again, given the minutes with samples in the store. The first and
 * the last minute of a stretch may be incomplete, so they are sent again: samples that are stored count as duplicates.
 */
export function wholeMinutes(stored: ReadonlySet<number>): (minute: number) => boolean {
  return (at) => stored.has(at - 1) && stored.has(at) && stored.has(at + 1);
}
