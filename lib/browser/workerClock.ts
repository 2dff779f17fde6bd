/** The worker ticks once a second; a tick may be this much early, in milliseconds. */
const earlyMs = 250;

const listeners = new Set<() => void>();
let worker: Worker | null = null;
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * Calls a function every `ms` milliseconds, whole seconds, also in a hidden tab: the clock is that of a worker
 * (public/ticks_worker.js), because browsers slow the timers of hidden pages down to one a minute. A browser without
 * workers uses the page's timers. Returns the function that stops it.
 */
export function everyMs(ms: number, then: () => void): () => void {
  let last = performance.now();
  const onTick = (): void => {
    const now = performance.now();
    if (now - last >= ms - earlyMs) {
      last = now;
      then();
    }
  };
  listeners.add(onTick);
  if (listeners.size === 1) {
    start();
  }
  return () => {
    listeners.delete(onTick);
    if (listeners.size === 0) {
      stop();
    }
  };
}

function start(): void {
  if (typeof Worker !== 'function') {
    startTimer();
    return;
  }
  const started = new Worker('/ticks_worker.js');
  worker = started;
  started.onmessage = tick;
  // Its file could not be loaded.
  started.onerror = () => {
    if (worker === started) {
      worker = null;
      startTimer();
    }
  };
}

function startTimer(): void {
  timer = setInterval(tick, 1_000);
}

function stop(): void {
  worker?.terminate();
  worker = null;
  clearInterval(timer);
  timer = undefined;
}

function tick(): void {
  for (const listener of listeners) {
    listener();
  }
}
