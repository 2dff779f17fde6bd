const windowMs = 60_000;
/** So many different senders are remembered within a minute; beyond them nobody new is let in. */
const mostSenders = 10_000;

/**
 * Counts calls by sender within a minute. The returned function takes a sender and says whether one more is within its
 * budget; `now` gives epoch milliseconds.
 */
export function createBudget(perMinute: number, now: () => number): (sender: string) => boolean {
  const counts = new Map<string, number>();
  let windowStart = now();
  return (sender) => {
    const at = now();
    if (at - windowStart >= windowMs || at < windowStart) {
      counts.clear();
      windowStart = at;
    }
    const count = counts.get(sender) ?? 0;
    if (count >= perMinute || (count === 0 && counts.size >= mostSenders)) {
      return false;
    }
    counts.set(sender, count + 1);
    return true;
  };
}
