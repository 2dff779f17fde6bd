/** The end of the year 9999: later instants have no four-digit year to be written with. */
const lastInstant = Date.UTC(10_000, 0, 1) - 1;

/**
 * Returns whether stored epoch milliseconds are a time from 1970 to 9999, as `parseInstant` takes them: any other
 * number is damage.
 */
export function isInstant(at: number): boolean {
  return at >= 0 && at <= lastInstant;
}
