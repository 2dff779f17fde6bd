/** The rows of a transaction, and how long one should take at most, in milliseconds: others wait for the thread. */
export const rowsAtMost = 2_000;
/** The first one after a start takes as few: nothing is known of the machine, and its code is cold. */
export const rowsAtLeast = 180;
const transactionMs = 10;

/**
 * Returns how many rows the next transaction may take, given that the last one took `rows` of the `before` that it
 * might have, in `tookMs` milliseconds without the flush of its commit: a slow disk makes transactions longer, not
 * smaller.
 */
export function fittingRows(before: number, rows: number, tookMs: number): number {
  // A small one says little: most of its time is the commit.
  if (rows * 4 < before && tookMs < transactionMs) {
    return before;
  }
  const fitting = Math.round((rows * transactionMs) / Math.max(tookMs, 1));
  // Not more than twice as many at once: one fast transaction is no proof.
  return Math.max(rowsAtLeast, Math.min(rowsAtMost, fitting, 2 * before));
}
