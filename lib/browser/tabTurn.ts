/** Asks to be the tab of this browser that sounds. */
export function takeSoundTurn(onTurn: () => void): () => void {
  return takeTurn('wardlight-sound', onTurn);
}

/** Asks to be the tab of this browser that shows a user's walkthrough. */
export function takeTourTurn(userId: number, onTurn: () => void): () => void {
  return takeTurn(`wardlight-tour-${userId}`, onTurn);
}

/**
 * Asks to be the one tab of this browser, and calls `onTurn` once it is: the others wait until it closes, and the
 * browser gives one of them the turn at once (Web Locks). A browser without locks, as on a page without HTTPS, gives
 * every tab the turn. Returns the function that gives the turn back.
 */
function takeTurn(lockName: string, onTurn: () => void): () => void {
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
