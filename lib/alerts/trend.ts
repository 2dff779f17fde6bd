/** One value a minute of one kind for a day: the minute's last value. Rebuilt from stored minutes after a restart. */
export interface Trend {
  /** The present epoch minute, and its last value. */
  minute: number;
  last: number;
  /** The 24 hours before it, by epoch hour modulo the day and minute of the hour; `none` if a minute has no value. */
  hours: readonly (readonly number[])[];
}

const minutesPerDay = 1_440;
const none = -1;
/**
 * The minutes with values that the two medians need: four hours of a day (clinical.md section 2.4), more than half of
 * 15.
 */
const needed = { day: 240, recent: 8 };
const recentMinutes = 15;
const minuteMs = 60_000;
/** No kind that has a trend goes higher (lib/vitals/kinds). */
const maxValue = 300;

const noHour: readonly number[] = Object.freeze(Array.from({ length: 60 }, () => none));
const noDay: readonly (readonly number[])[] = Object.freeze(Array.from({ length: 24 }, () => noHour));

/**
 * Returns the trend of the day before the epoch minute `minute`. Takes stored minutes with their last values, in any
 * order.
 */
export function trendOf(minutes: Iterable<{ minute: number; last: number }>, minute: number, last: number): Trend {
  const hours = noDay.map((hour) => [...hour]);
  for (const stored of minutes) {
    const hour = hours[hourOf(stored.minute)];
    if (hour !== undefined && stored.minute < minute && stored.minute > minute - minutesPerDay) {
      hour[stored.minute % 60] = stored.last;
    }
  }
  return { minute, last, hours };
}

/** A minute of a trend that is over. */
export interface ClosedMinute {
  /** When it was over, epoch milliseconds. */
  at: number;
  /** Since the last minute before it that has a value, in milliseconds; 0 if none has. */
  gapMs: number;
  /** The medians of 24 hours and of 15 minutes; null if too few minutes have values. */
  medians: { day: number; recent: number } | null;
}

/** Takes a trend (null: none yet) and the next value, in the order of measuring, and returns the trend with it. */
export function stepTrend(trend: Trend | null, at: number, value: number): Trend {
  const minute = Math.floor(at / minuteMs);
  if (trend === null) {
    return { minute, last: value, hours: noDay };
  }
  if (minute === trend.minute) {
    return trend.last === value ? trend : { minute, last: value, hours: trend.hours };
  }
  const hours = trend.hours.slice();
  put(hours, trend.minute, trend.last);
  // Values leave after a day; a silence of a day or more leaves nothing.
  for (let passed = Math.max(trend.minute + 1, minute - minutesPerDay + 1); passed <= minute; passed += 1) {
    put(hours, passed, none);
  }
  return { minute, last: value, hours };
}

/** Returns whether a value at `at` is in the trend's present minute. */
export function isInMinute(trend: Trend, at: number): boolean {
  return Math.floor(at / minuteMs) === trend.minute;
}

/** Returns the trend's minute if a value at `at` begins another one; null if it does not. */
export function closedMinute(trend: Trend, at: number): ClosedMinute | null {
  if (isInMinute(trend, at)) {
    return null;
  }
  return { at: (trend.minute + 1) * minuteMs, gapMs: gapBefore(trend), medians: mediansOf(trend) };
}

const hourOf = (minute: number): number => Math.floor(minute / 60) % 24;
const valueOf = ({ hours }: Trend, minute: number): number => hours[hourOf(minute)]?.[minute % 60] ?? none;

/** Copies an hour only when something in it changes. */
function put(hours: (readonly number[])[], minute: number, value: number): void {
  const hour = hours[hourOf(minute)];
  if (hour !== undefined && hour[minute % 60] !== value) {
    hours[hourOf(minute)] = hour.with(minute % 60, value);
  }
}

function gapBefore(trend: Trend): number {
  for (let back = 1; back < minutesPerDay; back += 1) {
    if (valueOf(trend, trend.minute - back) !== none) {
      return back * minuteMs;
    }
  }
  return 0;
}

/** Returns the medians of the last 15 minutes and of the last 24 hours; null if too few minutes have values. */
export function mediansOf(trend: Trend): ClosedMinute['medians'] {
  const recent = [trend.last];
  for (let back = 1; back < recentMinutes; back += 1) {
    const value = valueOf(trend, trend.minute - back);
    if (value !== none) {
      recent.push(value);
    }
  }
  recent.sort((a, b) => a - b);
  const ofDay = recent.length < needed.recent ? null : medianOfDay(trend);
  return ofDay === null ? null : { day: ofDay, recent: median(recent) };
}

/** Returns the median of sorted values; not a number without any. */
export function median(sorted: readonly number[]): number {
  const half = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(half)] ?? NaN) + (sorted[Math.ceil(half)] ?? NaN)) / 2;
}

/** How often each value occurred: reused by every call, and empty between them. */
const counts = new Uint16Array(maxValue + 1);

/** Counts instead of sorting, because this runs every minute for every patient. */
function medianOfDay({ hours, last }: Trend): number | null {
  counts.fill(0);
  counts[last] = 1;
  let known = 1;
  for (const hour of hours) {
    if (hour === noHour) {
      continue;
    }
    for (const value of hour) {
      if (value !== none) {
        counts[value] = (counts[value] ?? 0) + 1;
        known += 1;
      }
    }
  }
  return known < needed.day ? null : (nthOf(Math.floor((known - 1) / 2)) + nthOf(Math.floor(known / 2))) / 2;
}

function nthOf(place: number): number {
  let passed = 0;
  for (let value = 0; value <= maxValue; value += 1) {
    passed += counts[value] ?? 0;
    if (passed > place) {
      return value;
    }
  }
  return maxValue;
}
