import type { FailureCause } from '../api/failureCause';

/**
 * An instant on both clocks of the browser, in milliseconds. Either may be wrong: one stops in sleep, one can be set.
 */
export interface Moment {
  monotonic: number;
  wall: number;
}

/** Without a successful response for this long the page is not live. */
export const lostAfterMs = 10_000;

let anchor: { serverTime: number; at: Moment } | null = null;
let lastResponse: { serverTime: number; sent: Moment } | null = null;
let lastFailure: FailureCause = 'unreachable';
let isAnswered = true;

/** Returns the present instant, for `noteResponse` or `elapsedSince`. */
export function thisMoment(): Moment {
  return { monotonic: performance.now(), wall: Date.now() };
}

/**
 * Returns the milliseconds since a moment. If the two clocks disagree the larger counts: a value that looks too old
 * does no harm.
 */
export function elapsedSince(moment: Moment): number {
  return Math.max(performance.now() - moment.monotonic, Date.now() - moment.wall);
}

/** Returns the page's estimate of the server's time in epoch milliseconds, or null before the first response. */
export function serverNow(): number | null {
  return anchor === null ? null : anchor.serverTime + elapsedSince(anchor.at);
}

/**
 * Takes the server's time (epoch milliseconds) of a successful response and the moment its request left. The response
 * may have waited in the browser's buffers while the machine slept. So it only proves that the server's time now is
 * between `serverTime` and `serverTime` plus the whole round trip: the estimate moves only as far as that.
 */
export function noteResponse(serverTime: number, sent: Moment): void {
  isAnswered = true;
  const latest = serverTime + elapsedSince(sent);
  const estimate = serverNow() ?? latest;
  anchor = { serverTime: Math.min(Math.max(estimate, serverTime), latest), at: thisMoment() };
  if (lastResponse === null || elapsedSince(sent) <= elapsedSince(lastResponse.sent)) {
    lastResponse = { serverTime, sent };
  }
}

/** Starts the clock from the time that came with the page (epoch milliseconds); does nothing once it runs. */
export function startServerClock(pageTime: number): void {
  if (anchor === null) {
    noteResponse(pageTime, { monotonic: 0, wall: performance.timeOrigin });
  }
}

/** Returns the server's time of the last successful response in epoch milliseconds, or null before the first. */
export function lastResponseAt(): number | null {
  return lastResponse === null ? null : lastResponse.serverTime;
}

/**
 * Returns the server's time since when no call succeeded, once that is 10 s or more ago; null while the server
 * responds.
 */
export function lostSince(): number | null {
  return lastResponse !== null && elapsedSince(lastResponse.sent) >= lostAfterMs ? lastResponse.serverTime : null;
}

/** Notes why a call failed. */
export function noteFailure(cause: FailureCause): void {
  lastFailure = cause;
  isAnswered = isAnswered && cause !== 'unreachable' && cause !== 'unreadable';
}

/** Returns whether the server has answered since a call had no answer that could be read; true before any was sent. */
export function isAnswering(): boolean {
  return isAnswered;
}

/** Returns why the last failed call failed; `unreachable` before any has failed. */
export function lostBecause(): FailureCause {
  return lastFailure;
}
