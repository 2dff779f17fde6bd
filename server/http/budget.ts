import type { EpochMs } from '../../lib/time/epochMs';

const minuteMs = 60_000;
/** The most senders that are remembered within a window. Further senders are rejected, to bound the memory. */
const maxSenders = 10_000;

/**
 * Creates a counter of calls by sender within a window, a minute if nothing else is said. The returned function counts
 * one more call and returns whether the sender is still within its budget.
 */
export function createBudget(most: number, now: () => EpochMs, windowMs = minuteMs): (sender: string) => boolean {
  const counts = new Map<string, number>();
  let windowStart = now();
  return (sender) => {
    const at = now();
    if (at - windowStart >= windowMs || at < windowStart) {
      counts.clear();
      windowStart = at;
    }
    const count = counts.get(sender) ?? 0;
    if (count >= most || (count === 0 && counts.size >= maxSenders)) {
      return false;
    }
    counts.set(sender, count + 1);
    return true;
  };
}
