/** Calls a function when the page is idle, at the latest after five busy seconds. */
export function whenIdle(then: () => void): void {
  if (typeof requestIdleCallback === 'function') {
    requestIdleCallback(then, { timeout: 5_000 });
  } else {
    // Safari has no requestIdleCallback: a moment later is late enough.
    setTimeout(then, 200);
  }
}
