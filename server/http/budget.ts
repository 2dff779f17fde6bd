import type { EpochMs } from '../../lib/time/epochMs';

const windowMs = 60_000;
/** The most senders that are remembered within a minute. Further senders are rejected, to bound the memory. */
const maxSenders = 10_000;

/**
 * Creates a counter of calls by sender within a minute. The returned function counts one more call and returns whether
 * the sender is still within its budget.
 */
export function createBudget(perMinute: number, now: () => EpochMs): (sender: string) => boolean {
  const counts = new Map<string, number>();
  let windowStart = now();
  return (sender) => {
    const at = now();
    if (at - windowStart >= windowMs || at < windowStart) {
      counts.clear();
      windowStart = at;
    }
    const count = counts.get(sender) ?? 0;
    if (count >= perMinute || (count === 0 && counts.size >= maxSenders)) {
      return false;
    }
    counts.set(sender, count + 1);
    return true;
  };
}
