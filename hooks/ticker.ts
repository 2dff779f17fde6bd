import { serverNow } from '../lib/browser/serverClock';

/**
 * The one ticker of the page: everything that shows an age or the time moves with it, at the start of the server's
 * seconds.
 */

const secondMs = 1_000;
/** A tick that comes later than this is not waited for: the machine slept, or the tab was held back. */
const lateMs = 1_500;
/** What happens when a page that was hidden, frozen or asleep comes back. */
const awakenings = ['visibilitychange', 'pageshow', 'focus', 'online'] as const;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let ticked: number | null = null;

/**
 * The server's time at the last tick in epoch milliseconds, a whole second, or null before the server has told it. It
 * is checked against the clock at every reading, so that nothing is drawn with a time from before a sleep.
 */
export function tickedNow(): number | null {
  const now = serverNow();
  if (now !== null && (ticked === null || now < ticked || now - ticked >= lateMs)) {
    ticked = wholeSecond(now);
  }
  return ticked;
}

/** Calls back at every tick until the returned function is called. */
export function subscribeToTicks(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    start();
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      stop();
    }
  };
}

function start(): void {
  for (const event of awakenings) {
    window.addEventListener(event, tick, { capture: true });
  }
  schedule();
}

function stop(): void {
  clearTimeout(timer);
  for (const event of awakenings) {
    window.removeEventListener(event, tick, { capture: true });
  }
}

function schedule(): void {
  timer = setTimeout(tick, secondMs - ((serverNow() ?? 0) % secondMs));
}

function tick(): void {
  clearTimeout(timer);
  const now = serverNow();
  ticked = now === null ? null : wholeSecond(now);
  schedule();
  for (const listener of listeners) {
    listener();
  }
}

function wholeSecond(epochMs: number): number {
  return Math.floor(epochMs / secondMs) * secondMs;
}
