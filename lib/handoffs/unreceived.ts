import type { Active } from '../alerts/episode';
import type { RuleId } from '../alerts/ruleNames';
import type { EpochMs } from '../time/epochMs';

/** How long a given handoff waits for its receiver before the ward lead is asked, in milliseconds (clinical.md 5). */
const unreceivedMs = 30 * 60_000;

/** Returns the active rule of a handoff that was given and that no one has received in time; null: there is none. */
export function unreceivedHandoff(givenAt: EpochMs | null, now: EpochMs): Active<RuleId> | null {
  return givenAt !== null && now - givenAt >= unreceivedMs
    ? { rule: 'handoff.unreceived', priority: 'low', since: givenAt + unreceivedMs }
    : null;
}
