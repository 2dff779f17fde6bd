const lockName = 'wardlight-sound';

/**
 * Asks to be the tab of this browser that sounds, and calls `onTurn` once it is: the others wait until it closes, and
 * the browser gives one of them the turn at once (Web Locks). A browser without locks, as on a page without HTTPS, lets
 * every tab sound. Returns the function that gives the turn back.
 */
export function takeSoundTurn(onTurn: () => void): () => void {
  if (!('locks' in navigator)) {
    onTurn();
    return () => undefined;
  }
  const waiting = new AbortController();
  let giveBack = (): void => undefined;
  const held = new Promise<void>((settle) => {
    giveBack = settle;
  });
  navigator.locks
    .request(lockName, { signal: waiting.signal }, () => {
      onTurn();
      return held;
    })
    .catch(() => {
      // Given back before its turn came.
    });
  return () => {
    waiting.abort();
    giveBack();
  };
}
