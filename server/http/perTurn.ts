/**
 * Creates a function whose promise resolves at once for the first `most` calls in a turn of the event loop, and in one
 * of the next turns for the others, in their order. What arrives together would otherwise be done in one go.
 */
export function perTurn(most: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let left = most;
  const nextTurn = (): void => {
    left = most;
    for (const go of waiting.splice(0, most)) {
      left -= 1;
      go();
    }
    if (left < most) {
      setImmediate(nextTurn);
    }
  };
  return async () => {
    if (left === most) {
      setImmediate(nextTurn);
    }
    if (left > 0) {
      left -= 1;
      return;
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
}
