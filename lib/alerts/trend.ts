/** A day of one kind, a number a minute: the minute's last value. Rebuilt from stored minutes after a restart. */
export interface Trend {
  /** The epoch minute that is under way, and its last value. */
  minute: number;
  last: number;
  /** By epoch minute modulo the day; `none` where a minute has no value. */
  day: Int16Array;
}

const minutesPerDay = 1_440;
const none = -1;
/** Minutes with values that the two medians need: four hours of a day (clinical.md section 2.4), more than half of 15. */
const needed = { day: 240, recent: 8 };
const recentMinutes = 15;
const minuteMs = 60_000;
/** No kind that has a trend goes higher (lib/vitals/kinds). */
const maxValue = 300;

/** Takes stored minutes with their last values, in any order, and returns the day up to and without the epoch minute `minute`. */
export function trendOf(minutes: Iterable<{ minute: number; last: number }>, minute: number, last: number): Trend {
  const day = new Int16Array(minutesPerDay).fill(none);
  for (const stored of minutes) {
    if (stored.minute < minute && stored.minute > minute - minutesPerDay) {
      day[stored.minute % minutesPerDay] = stored.last;
    }
  }
  return { minute, last, day };
}

/** A minute of a trend that is over. */
export interface ClosedMinute {
  /** When it was over, epoch milliseconds. */
  at: number;
  /** Since the minute with a value before it, in milliseconds; 0 where there is none. */
  gapMs: number;
  /** The medians of 24 hours and of 15 minutes; null where too few minutes have values. */
  medians: { day: number; recent: number } | null;
}

/** Takes a trend (null: none yet) and the next value, in the order of measuring, and returns the trend with it. */
export function stepTrend(trend: Trend | null, at: number, value: number): Trend {
  const minute = Math.floor(at / minuteMs);
  if (trend === null) {
    return trendOf([], minute, value);
  }
  if (minute === trend.minute) {
    return trend.last === value ? trend : { minute, last: value, day: trend.day };
  }
  const day = withLast(trend);
  // What is a day old leaves; a silence of a day and more leaves nothing.
  for (let passed = Math.max(trend.minute + 1, minute - minutesPerDay + 1); passed <= minute; passed += 1) {
    day[passed % minutesPerDay] = none;
  }
  return { minute, last: value, day };
}

/** What became of a trend's minute when a value at `at` begins another; null when it does not. */
export function closedMinute(trend: Trend, at: number): ClosedMinute | null {
  if (Math.floor(at / minuteMs) === trend.minute) {
    return null;
  }
  const day = withLast(trend);
  return { at: (trend.minute + 1) * minuteMs, gapMs: gapBefore(day, trend.minute), medians: mediansOf(day, trend.minute) };
}

function withLast({ minute, last, day }: Trend): Int16Array {
  const after = day.slice();
  after[minute % minutesPerDay] = last;
  return after;
}

function gapBefore(day: Int16Array, minute: number): number {
  for (let back = 1; back < minutesPerDay; back += 1) {
    if (day[(minute - back + minutesPerDay) % minutesPerDay] !== none) {
      return back * minuteMs;
    }
  }
  return 0;
}

function mediansOf(day: Int16Array, minute: number): ClosedMinute['medians'] {
  const recent = new Int16Array(recentMinutes);
  for (let back = 0; back < recentMinutes; back += 1) {
    recent[back] = day[(minute - back + minutesPerDay) % minutesPerDay] ?? none;
  }
  const ofDay = medianOf(day, needed.day);
  const ofRecent = medianOf(recent, needed.recent);
  return ofDay === null || ofRecent === null ? null : { day: ofDay, recent: ofRecent };
}

/** Counts instead of sorting, because every minute of every patient asks. */
function medianOf(values: Int16Array, least: number): number | null {
  const counts = new Uint16Array(maxValue + 1);
  let known = 0;
  for (const value of values) {
    if (value !== none) {
      counts[value] = (counts[value] ?? 0) + 1;
      known += 1;
    }
  }
  return known < least ? null : (nthOf(counts, Math.floor((known - 1) / 2)) + nthOf(counts, Math.floor(known / 2))) / 2;
}

function nthOf(counts: Uint16Array, place: number): number {
  let passed = 0;
  for (let value = 0; value <= maxValue; value += 1) {
    passed += counts[value] ?? 0;
    if (passed > place) {
      return value;
    }
  }
  return maxValue;
}
