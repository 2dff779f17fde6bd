import type { FailureCause } from '../api/failureCause';

/**
 * An instant on both clocks of the browser, in milliseconds. Either may be wrong: one stops in sleep, one can be set.
 */
export interface Moment {
  monotonic: number;
  wall: number;
}

/** Without a successful answer for this long the page is not live. */
export const lostAfterMs = 10_000;

let anchor: { serverTime: number; at: Moment } | null = null;
let lastAnswer: { serverTime: number; sent: Moment } | null = null;
let lastFailure: FailureCause = 'unreachable';

/** The present instant, to be handed back to `noteAnswer` or `elapsedSince`. */
export function thisMoment(): Moment {
  return { monotonic: performance.now(), wall: Date.now() };
}

/** Milliseconds since a moment. Where the two clocks disagree the larger counts: what looks too old does no harm. */
export function elapsedSince(moment: Moment): number {
  return Math.max(performance.now() - moment.monotonic, Date.now() - moment.wall);
}

/** The page's estimate of the server's time in epoch milliseconds, or null before the first answer. */
export function serverNow(): number | null {
  return anchor === null ? null : anchor.serverTime + elapsedSince(anchor.at);
}

/**
 * Takes the server's time (epoch milliseconds) of a successful answer and the moment its request left. The answer may
 * have waited in the browser's buffers while the machine slept, so all it proves is that the server's time now lies
 * between `serverTime` and `serverTime` plus the whole round trip: the estimate is moved only as far as that.
 */
export function noteAnswer(serverTime: number, sent: Moment): void {
  const latest = serverTime + elapsedSince(sent);
  const estimate = serverNow() ?? latest;
  anchor = { serverTime: Math.min(Math.max(estimate, serverTime), latest), at: thisMoment() };
  if (lastAnswer === null || elapsedSince(sent) <= elapsedSince(lastAnswer.sent)) {
    lastAnswer = { serverTime, sent };
  }
}

/** Starts the clock from the time that came with the page (epoch milliseconds); does nothing once it runs. */
export function startServerClock(pageTime: number): void {
  if (anchor === null) {
    noteAnswer(pageTime, { monotonic: 0, wall: performance.timeOrigin });
  }
}

/** The server's time of the last successful answer in epoch milliseconds, or null before the first. */
export function lastAnswerAt(): number | null {
  return lastAnswer === null ? null : lastAnswer.serverTime;
}

/** The server's time since when nothing was answered, once that is 10 s or more ago; null while the server answers. */
export function lostSince(): number | null {
  return lastAnswer !== null && elapsedSince(lastAnswer.sent) >= lostAfterMs ? lastAnswer.serverTime : null;
}

/** Takes why a call failed. */
export function noteFailure(cause: FailureCause): void {
  lastFailure = cause;
}

/** Returns why the last failed call brought nothing; `unreachable` before any has failed. */
export function lostBecause(): FailureCause {
  return lastFailure;
}
