/** From this expected interval on, readings are spot checks: a line would claim that somebody watched in between. */
const spotFromMs = 600_000;

/** Says whether a patient's readings of a kind are single observations. */
export function isSpotChecked(profile: 'continuous' | 'home', expectedEveryMs: number | undefined): boolean {
  return profile === 'home' || (expectedEveryMs !== undefined && expectedEveryMs >= spotFromMs);
}
