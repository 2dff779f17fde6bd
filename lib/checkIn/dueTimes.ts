import type { EpochMs } from '../time/epochMs';
import { fromWallTime } from '../time/wallTime';

const dayMs = 24 * 3_600_000;

/** When check-ins are due: the site's times of day, such as "08:00", in its time zone. */
export interface DueTimes {
  times: readonly string[];
  timeZone: string;
}

/** Kept because a clock evaluation asks for the same days of every patient each second, and zones are slow. */
const known = new Map<string, readonly EpochMs[]>();
const mostKnown = 1_000;

/**
 * Returns the instants of one calendar day "2026-05-01". A time that clocks skip is due as long after the change as it
 * would have been after midnight; of one that they show twice, one is due.
 */
function duesOfDay({ times, timeZone }: DueTimes, day: string): readonly EpochMs[] {
  const key = `${timeZone} ${times.join()} ${day}`;
  const kept = known.get(key);
  if (kept !== undefined) {
    return kept;
  }
  const dues = times.flatMap((time) => fromWallTime(`${day}T${time}`, timeZone) ?? []);
  if (known.size >= mostKnown) {
    known.clear();
  }
  known.set(key, dues);
  return dues;
}

/**
 * Returns the due times around an instant, in order and each once: some days before and after it, so that each has its
 * neighbours. Epoch milliseconds.
 */
export function duesAround(due: DueTimes, at: EpochMs): EpochMs[] {
  // The day of UTC is that of the zone, or one beside it.
  const days = [-2, -1, 0, 1, 2, 3].map((after) => new Date(at + after * dayMs).toISOString().slice(0, 10));
  return [...new Set(days.flatMap((day) => duesOfDay(due, day)))].sort((a, b) => a - b);
}

/** A check-in counts for a due time at most so long before it: this morning's is not that of the evening. */
const mostEarlyMs = 4 * 3_600_000;

/**
 * Returns the first due time that a check-in at `lastAt` does not answer, and the one after it. A check-in counts for
 * the due time that it is nearest to, if that is at most `earlyMs` ahead, and for all before.
 */
export function firstUnanswered(
  due: DueTimes,
  lastAt: EpochMs,
  earlyMs = mostEarlyMs,
): { first: EpochMs; second: EpochMs } {
  const dues = duesAround(due, lastAt);
  const index = dues.findIndex((at, place) => {
    const halfWayMs = (at - (dues[place - 1] ?? -Infinity)) / 2;
    return lastAt < at - Math.min(halfWayMs, earlyMs);
  });
  const [first = Infinity, second = Infinity] = index === -1 ? [] : dues.slice(index);
  return { first, second };
}

/**
 * Returns the due time to show at `now`: the nearest, unless a check-in at `lastAt` has answered it: then the next. A
 * due time of long ago is nothing to wait for, whether or not one at `now` would still count for it.
 */
export function nextDueAt(due: DueTimes, lastAt: EpochMs | null, now: EpochMs): EpochMs {
  const { first } = firstUnanswered(due, now, Infinity);
  const nearest = duesAround(due, now).findLast((at) => at < first) ?? first;
  return lastAt === null ? nearest : Math.max(nearest, firstUnanswered(due, lastAt).first);
}
