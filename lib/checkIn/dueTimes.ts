import { dayOf } from '../time/dayOf';
import type { EpochMs } from '../time/epochMs';
import { fromWallTime } from '../time/wallTime';

const dayMs = 24 * 3_600_000;

/** When check-ins are due: the site's times of day, such as "08:00", in its time zone. */
export interface DueTimes {
  times: readonly string[];
  timeZone: string;
}

/**
 * Returns the instants of one calendar day "2026-05-01", in order. A time that clocks skip is due as long after the
 * change as it would have been after midnight; of one that they show twice, one is due.
 */
function duesOfDay({ times, timeZone }: DueTimes, day: string): EpochMs[] {
  return times.flatMap((time) => fromWallTime(`${day}T${time}`, timeZone) ?? []);
}

/**
 * Returns the due times around an instant, in order and each once: from the day before the one before it to the third
 * day after it, so that each has its neighbours. Epoch milliseconds.
 */
export function duesAround(due: DueTimes, at: EpochMs): EpochMs[] {
  const [year = 1970, month = 1, day = 1] = dayOf(at, due.timeZone).split('-').map(Number);
  const days = [-2, -1, 0, 1, 2, 3].map((after) =>
    new Date(Date.UTC(year, month - 1, day) + after * dayMs).toISOString().slice(0, 10),
  );
  return [...new Set(days.flatMap((one) => duesOfDay(due, one)))].sort((a, b) => a - b);
}

/**
 * Returns the first due time that a check-in at `lastAt` does not answer, and the one after it. A check-in counts for
 * the due time that it is nearest to, and for all before.
 */
export function firstUnanswered(due: DueTimes, lastAt: EpochMs): { first: EpochMs; second: EpochMs } {
  const dues = duesAround(due, lastAt);
  const index = dues.findIndex((at, place) => lastAt < at - (at - (dues[place - 1] ?? -Infinity)) / 2);
  const [first = Infinity, second = Infinity] = index === -1 ? [] : dues.slice(index);
  return { first, second };
}

/** Returns the due time for which a check-in at `now` counts, unless one at `lastAt` has answered it: then the next. */
export function nextDueAt(due: DueTimes, lastAt: EpochMs | null, now: EpochMs): EpochMs {
  const { first } = firstUnanswered(due, now);
  const present = duesAround(due, now).findLast((at) => at < first) ?? first;
  return lastAt === null ? present : Math.max(present, firstUnanswered(due, lastAt).first);
}
