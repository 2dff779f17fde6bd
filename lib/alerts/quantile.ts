/**
 * Takes how often each value occurs and returns the smallest value that the share `q` of them does not exceed (nearest
 * rank): with q 0.9, "nine of ten took at most this". Null without a value.
 */
export function quantile(counts: ReadonlyMap<number, number>, q: number): number | null {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const rank = Math.max(1, Math.ceil(q * all));
  let seen = 0;
  for (const [value, count] of [...counts].sort(([a], [b]) => a - b)) {
    seen += count;
    if (seen >= rank) {
      return value;
    }
  }
  return null;
}
