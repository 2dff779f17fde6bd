/** So many reports of faults that are alike, and of all, within an hour: the first ones say what is to be mended. */
const alikeAnHour = 10;
const allAnHour = 100;
const hourMs = 3_600_000;

/**
 * Creates the budget for reports of the server's own faults: a stranger who finds a call that fails must not fill the
 * operator's receiver, nor push other reports out of the list. `elapsed` is monotonic, in milliseconds. The returned
 * function says whether a fault with this key may be reported. It counts within whole hours.
 */
export function createFaultBudget(elapsed: () => number): (key: string) => boolean {
  let hour = -1;
  let all = 0;
  const alike = new Map<string, number>();
  return (key) => {
    const now = Math.floor(elapsed() / hourMs);
    if (now !== hour) {
      hour = now;
      all = 0;
      alike.clear();
    }
    const before = alike.get(key) ?? 0;
    if (before >= alikeAnHour || all >= allAnHour) {
      return false;
    }
    alike.set(key, before + 1);
    all += 1;
    return true;
  };
}
