import { createBudget } from '../http/budget';

/** So many reports of faults that are alike, and of all, within an hour: the first ones say what is to be mended. */
const alikeAnHour = 10;
const allAnHour = 100;
const hourMs = 3_600_000;

/**
 * Creates the budget for reports of the server's own faults: a stranger who finds a call that fails must not fill the
 * operator's receiver, nor push other reports out of the list. `elapsed` is monotonic, in milliseconds. The returned
 * function says whether a fault with this key may be reported.
 */
export function createFaultBudget(elapsed: () => number): (key: string) => boolean {
  const mayBeAlike = createBudget(alikeAnHour, elapsed, hourMs);
  const mayBeAny = createBudget(allAnHour, elapsed, hourMs);
  return (key) => mayBeAlike(key) && mayBeAny('');
}
