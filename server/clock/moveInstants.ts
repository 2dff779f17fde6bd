/**
 * No count, value, id or duration in milliseconds is as great; instants from September 2001 to the year 5138 are. The
 * process has no earlier time (`earliestDate` in server/clock/clock), so an instant that was moved can move back.
 */
const leastInstant = 1e12;
const greatestInstant = 1e14;

/**
 * Takes JSON that the rules keep and returns it with every instant in it moved by `ms`, whatever its fields are called:
 * a list of them would forget one. JSON that cannot be read stays as it is: it stops no step.
 */
export function moveInstants(json: string, ms: number): string {
  try {
    const moved: unknown = JSON.parse(json, (_, value: unknown) =>
      typeof value === 'number' && value >= leastInstant && value < greatestInstant ? value + ms : value,
    );
    return JSON.stringify(moved);
  } catch {
    return json;
  }
}
