/**
 * How far ahead an instant may lie before it is a wrong date and not a fast clock, in milliseconds (design.md section
 * 3).
 */
const futureMs = 5 * 60_000;

/**
 * Takes an instant that somebody gives and the server's time, both epoch milliseconds, and says whether it cannot have
 * been yet.
 */
export function isInFuture(at: number, now: number): boolean {
  return at > now + futureMs;
}
