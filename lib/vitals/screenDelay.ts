import type { EpochMs } from '../time/epochMs';
import { parseInstant } from '../time/parseInstant';
import { vitalKinds } from './kinds';
import type { LatestValues } from './schema';

/** A newer value that took an older one's place on the screen, in the server's time (epoch milliseconds). */
export interface Arrival {
  receivedAt: EpochMs;
  paintedAt: number;
}

/** Arrivals of one response; its newest value counts. */
export interface ArrivedResponse extends Arrival {
  /** When its first value was painted. */
  since: EpochMs;
}

/** Paints within this time count as one response: several parts of a page note theirs, and responses are 2 s apart. */
const oneAnswerMs = 1_000;
const remembered = 9;
/** A value that reached the server so long after it was taken was held up on the way there: a back-fill. */
const backfillMs = 60_000;

/**
 * Returns whether `next`, which replaced `before`, tells how long the way from the server to the screen was: it reached
 * the server later, and soon after it was taken. All are epoch milliseconds.
 */
export function isArrival(before: { receivedAt: EpochMs }, next: { receivedAt: EpochMs; asOf: EpochMs }): boolean {
  return next.receivedAt > before.receivedAt && next.receivedAt - next.asOf <= backfillMs;
}

/** A patient's newest values. */
interface PatientValues {
  id: number;
  latest: LatestValues;
}

/**
 * Returns when the server received the newest value that replaces another one of the same patient and kind
 * (`isArrival`), in epoch milliseconds; null if no value does.
 */
export function newestArrival(before: readonly PatientValues[], next: readonly PatientValues[]): number | null {
  const last = new Map(before.map(({ id, latest }) => [id, latest]));
  let newest: number | null = null;
  for (const { id, latest } of next) {
    for (const kind of vitalKinds) {
      const [old, value] = [last.get(id)?.[kind], latest[kind]];
      if (old === undefined || value === undefined || old.receivedAt === value.receivedAt) {
        continue;
      }
      const oldReceivedAt = parseInstant(old.receivedAt);
      const receivedAt = parseInstant(value.receivedAt);
      const asOf = parseInstant(value.asOf);
      if (oldReceivedAt === null || receivedAt === null || asOf === null) {
        continue;
      }
      if (isArrival({ receivedAt: oldReceivedAt }, { receivedAt, asOf })) {
        newest = Math.max(newest ?? receivedAt, receivedAt);
      }
    }
  }
  return newest;
}

/** Adds an arrival and returns the last nine responses that contained some, oldest first. */
export function takeArrival(
  responses: readonly ArrivedResponse[],
  { receivedAt, paintedAt }: Arrival,
): readonly ArrivedResponse[] {
  const last = responses.at(-1);
  if (last === undefined || paintedAt - last.since >= oneAnswerMs) {
    return [...responses, { receivedAt, paintedAt, since: paintedAt }].slice(-remembered);
  }
  // Of values that arrived together the one that is painted last counts.
  return receivedAt < last.receivedAt
    ? responses
    : [...responses.slice(0, -1), { receivedAt, paintedAt, since: last.since }];
}

/**
 * Returns how long values take from the server to the screen, in milliseconds: the median of the responses, so that one
 * delayed response has no effect; null before the first. Never negative, although the page's clock is an estimate.
 */
export function screenDelay(responses: readonly Arrival[]): number | null {
  const sorted = responses
    .map(({ receivedAt, paintedAt }) => Math.max(0, paintedAt - receivedAt))
    .sort((a, b) => a - b);
  const [lower, upper] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return lower === undefined || upper === undefined ? null : Math.round((lower + upper) / 2);
}
