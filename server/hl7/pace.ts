import { mostRateMinutes } from '../../lib/interfaces/schema';

/** How many messages a sender sends, and how long their answers take, of its last minutes. */
export interface Pace {
  /** The first message since the start, on the clock that is never set, in milliseconds; null: none. */
  since: number | null;
  /** Its last minutes with messages, counted from then. */
  minutes: { index: number; messages: number; took: Map<number, number> }[];
}

const minuteMs = 60_000;

/** Returns the pace of a sender that has sent nothing. */
export function newPace(): Pace {
  return { since: null, minutes: [] };
}

/**
 * Counts a message that was answered at `at`, `tookMs` after the last of its bytes: both by a clock that is never set,
 * in milliseconds. What is kept does not grow with the number of messages.
 */
export function notePace(pace: Pace, at: number, tookMs: number): void {
  pace.since ??= at;
  const index = Math.floor((at - pace.since) / minuteMs);
  const last = pace.minutes.at(-1);
  const minute = last?.index === index ? last : { index, messages: 0, took: new Map<number, number>() };
  if (minute !== last) {
    pace.minutes = [...pace.minutes.filter((one) => one.index >= index - mostRateMinutes), minute];
  }
  minute.messages += 1;
  const took = roundedUp(tookMs);
  minute.took.set(took, (minute.took.get(took) ?? 0) + 1);
}

/**
 * Returns how many messages a minute came in the last full minutes, and in how many of these (`mostRateMinutes` at
 * most); null in the first minute. Of the same minutes and the one under way it returns how long an answer took, the
 * middle one and the longest, in milliseconds, rounded up to two digits; null: there was none.
 */
export function readPace({ since, minutes }: Pace, at: number) {
  const now = since === null ? 0 : Math.floor((at - since) / minuteMs);
  const lately = minutes.filter(({ index }) => index >= now - mostRateMinutes);
  const full = Math.min(mostRateMinutes, now);
  const messages = lately.reduce((sum, one) => sum + (one.index < now ? one.messages : 0), 0);
  return { rate: full === 0 ? null : { perMinute: messages / full, minutes: full }, answerMs: answerOf(lately) };
}

function answerOf(minutes: Pace['minutes']): { middle: number; longest: number } | null {
  const took = minutes.flatMap((one) => [...one.took]).sort(([a], [b]) => a - b);
  const answers = took.reduce((sum, [, count]) => sum + count, 0);
  let before = 0;
  const middle = took.find(([, count]) => (before += count) > answers / 2);
  const longest = took.at(-1);
  return middle === undefined || longest === undefined ? null : { middle: middle[0], longest: longest[0] };
}

/** Returns 83 of 82.4 and 1300 of 1234, at least 1: so there are few different times. */
function roundedUp(ms: number): number {
  const whole = Math.max(1, Math.ceil(ms));
  const step = 10 ** Math.max(0, String(whole).length - 2);
  return Math.ceil(whole / step) * step;
}
