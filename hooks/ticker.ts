import { lastResponseAt, serverNow } from '../lib/browser/serverClock';

/**
 * The one ticker of the page: every age and time on the page changes with it, at the start of a second of the server's
 * time.
 */

const secondMs = 1_000;
/** If a tick is later than this, the time is read anyway: the computer slept, or the browser slowed the tab down. */
const lateMs = 1_500;
/** On a PC that is four times slower, so many ages take some 15 ms. */
const listenersPerTask = 60;
/** The events when a page that was hidden, frozen or asleep returns. */
const awakenings = ['visibilitychange', 'pageshow', 'focus', 'online'] as const;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let ticked: number | null = null;

/**
 * Returns the server's time at the last tick, a whole second in epoch milliseconds; null before the first one. Every
 * call compares it with the clock, so that nothing is drawn with a time from before a sleep.
 *
 * Before the first tick the page shows the time that it came with. Were it another one as soon as the page is
 * hydrated, React would draw every age of the page a second time at once, in one long task.
 */
export function tickedNow(): number | null {
  const now = serverNow();
  if (now !== null && ticked !== null && (now < ticked || now - ticked >= lateMs)) {
    ticked = wholeSecond(now);
  }
  return ticked;
}

/** Calls `listener` at every tick. Returns a function that stops that. */
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
    window.addEventListener(event, awake, { capture: true });
  }
  const [now, answered] = [serverNow(), lastResponseAt()];
  if (ticked === null && now !== null && answered !== null && now - answered >= lateMs) {
    // The page took long to arrive: its time is corrected at once, some places a task.
    timer = setTimeout(tick, 0);
  } else {
    schedule();
  }
}

function stop(): void {
  clearTimeout(timer);
  for (const event of awakenings) {
    window.removeEventListener(event, awake, { capture: true });
  }
}

function schedule(): void {
  timer = setTimeout(tick, secondMs - ((serverNow() ?? 0) % secondMs));
}

/**
 * Some listeners in each task: the ages of hundreds of rows at once would hold up a click. In a hidden tab no one
 * clicks, and the browser may let a minute pass between two tasks.
 */
function tick(): void {
  readTime();
  notify([...listeners], document.visibilityState === 'hidden' ? listeners.size : listenersPerTask);
}

/** All in one task, so that no age from before the sleep is drawn. */
function awake(): void {
  readTime();
  notify([...listeners], listeners.size);
}

function readTime(): void {
  clearTimeout(timer);
  const now = serverNow();
  ticked = now === null ? null : wholeSecond(now);
  schedule();
}

function notify(waiting: readonly (() => void)[], perTask: number): void {
  for (const listener of waiting.slice(0, perTask)) {
    // One that has left meanwhile is called no more.
    if (listeners.has(listener)) {
      listener();
    }
  }
  if (waiting.length > perTask) {
    setTimeout(notify, 0, waiting.slice(perTask), perTask);
  }
}

function wholeSecond(epochMs: number): number {
  return Math.floor(epochMs / secondMs) * secondMs;
}
