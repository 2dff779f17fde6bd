/**
 * How far ahead an instant may lie before it is a wrong date and not a fast clock, in milliseconds (design.md section
 * 3).
 */
export const futureMs = 5 * 60_000;

/**
 * Returns whether an instant that a person or device states lies in the future. Both arguments are epoch milliseconds;
 * `now` is the server's time.
 */
export function isInFuture(at: number, now: number): boolean {
  return at > now + futureMs;
}
