import { uptime } from 'node:os';
import type { EpochMs } from '../../lib/time/epochMs';

/**
 * The anchor moves by whole slots of the rules' windows (lib/alerts/stream), so that a slot before a step is a slot
 * after it.
 */
const anchorMs = 15_000;
/** A greater difference that appears at once is a step of the wall clock (clinical.md section 0, C1). */
const stepMs = 2_000;
/**
 * Whether the machine slept is asked so often, in milliseconds: Linux answers from a file, in 8 µs, and the time is
 * asked several times for each value.
 */
const lookEveryMs = 5;
/** How much of an elapsed time a smaller difference may take: 2 %, less than any delay of a rule notices. */
const slewed = 0.02;
/**
 * An earlier date is that of a computer without a battery, or of a time server that is wrong. The process goes on by
 * its own time until the wall clock is set: it could not tell instants of before 2001 from other numbers
 * (moveInstants), and moves nothing there and back.
 */
const earliestDate = Date.UTC(2026, 0, 1);

/** A step of the wall clock, in milliseconds; negative: it was set back. */
export interface ClockStep {
  jumpedMs: number;
  /** By how much the anchor has to move: a multiple of 15 s. The rest is made up for little by little. */
  moveMs: number;
}

/**
 * The time of the process. Elapsed time is that of the monotonic clock; the wall clock is only its anchor. So setting
 * the wall clock changes no elapsed time, and `now` goes on as before until `move`.
 */
export interface Clock {
  /** The present time. Never goes back, except by `move`. */
  now(): EpochMs;
  /** Milliseconds since some moment before the start, which nothing changes: for times that are only compared. */
  elapsed(): number;
  /** Returns whether the wall clock states a date that can be true. */
  isDateKnown(): boolean;
  /** Compares the two clocks, makes up for a small difference, and returns a step of the wall clock, or null. */
  check(): ClockStep | null;
  /** Moves the anchor after a step. */
  move(step: ClockStep): void;
}

/**
 * Returns a clock that no one can set and that also counts while the machine sleeps: `performance.now` stops
 * then, and values from before the sleep would look like new ones. `looks`: whether it slept is asked in any case.
 * Takes the seconds since the machine started, and the milliseconds that do not count while it sleeps.
 */
export function createMonotonic(
  awake: () => number = () => performance.now(),
  up: () => number = uptime,
): (looks?: boolean) => number {
  const begun = up() * 1_000 - awake();
  let [asleep, lookedAt] = [0, 0];
  return (looks = false) => {
    const at = awake();
    if (looks || at - lookedAt >= lookEveryMs) {
      lookedAt = at;
      const gap = up() * 1_000 - at - begun;
      asleep = gap - asleep > stepMs ? gap : asleep;
    }
    return at + asleep;
  };
}

/** Creates the clock of a process from its wall clock (epoch milliseconds) and a clock that no one can set. */
export function createClock({
  wall = Date.now,
  monotonic = createMonotonic(),
}: { wall?: () => EpochMs; monotonic?: (looks?: boolean) => number } = {}): Clock {
  let anchor = Math.max(wall(), earliestDate) - monotonic();
  let last = -Infinity;
  /** The difference of the two clocks that is known and not made up for yet. */
  let rest = Math.min(0, wall() - earliestDate);
  let checkedAt = monotonic();

  return {
    now: () => {
      last = Math.max(last, Math.floor(anchor + monotonic()));
      return last;
    },
    elapsed: () => monotonic(),
    isDateKnown: () => wall() >= earliestDate,
    check: () => {
      // A sleep since the last look would be taken for a step of the wall clock.
      const at = monotonic(true);
      const stated = wall();
      const difference = stated - (anchor + at);
      const jumpedMs = difference - rest;
      if (Math.abs(jumpedMs) > stepMs) {
        const moveMs = stated < earliestDate ? 0 : Math.round(difference / anchorMs) * anchorMs;
        return { jumpedMs: Math.round(jumpedMs), moveMs };
      }
      // A difference as great as a slot is that to a date that is not followed.
      const most = Math.abs(difference) < anchorMs ? (at - checkedAt) * slewed : 0;
      const by = Math.max(-most, Math.min(most, difference));
      anchor += by;
      rest = difference - by;
      checkedAt = at;
      return null;
    },
    move: ({ jumpedMs, moveMs }) => {
      checkedAt = monotonic();
      anchor += moveMs;
      last = -Infinity;
      // Only what was known of this step: another one may have followed while this one waited for the store.
      rest += jumpedMs - moveMs;
    },
  };
}
