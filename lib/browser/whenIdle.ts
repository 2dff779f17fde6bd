/** Calls a function when the page has nothing to do, after five busy seconds all the same. */
export function whenIdle(then: () => void): void {
  if (typeof requestIdleCallback === 'function') {
    requestIdleCallback(then, { timeout: 5_000 });
  } else {
    // Safari has no such thing: a moment later is late enough.
    setTimeout(then, 200);
  }
}
