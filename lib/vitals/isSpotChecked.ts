/** From this expected interval on, readings are spot checks: a line would claim that the time between was measured. */
const spotFromMs = 600_000;

/** Returns whether a patient's readings of a kind are single observations. */
export function isSpotChecked(profile: 'continuous' | 'home', expectedEveryMs: number | undefined): boolean {
  return profile === 'home' || (expectedEveryMs !== undefined && expectedEveryMs >= spotFromMs);
}
