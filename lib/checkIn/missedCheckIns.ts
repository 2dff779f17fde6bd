import type { Active } from '../alerts/episode';
import type { RuleId } from '../alerts/ruleNames';
import type { EpochMs } from '../time/epochMs';
import { firstUnanswered, type DueTimes } from './dueTimes';

const hour = 3_600_000;
const graceMs = 2 * hour;
const silentAfterMs = 24 * hour;

/**
 * Returns the active rule for a patient who checks in from home, or null (clinical.md section 2.5). One missed check-in
 * is LOW two hours after it was due. Two in a row, or a day of silence, are MEDIUM: someone calls the patient. `lastAt`
 * is the last check-in or reading; epoch milliseconds. Who checks in once a day is not silent before the grace is over,
 * and whatever the times of the site are, a day and the grace are the most that anyone is.
 */
export function evaluateMissedCheckIns(lastAt: EpochMs, due: DueTimes, now: EpochMs): Active<RuleId> | null {
  // The due time is after the last check-in: nothing is computed for patients who have just checked in.
  if (now < lastAt + graceMs) {
    return null;
  }
  const { first, second } = firstUnanswered(due, lastAt);
  const lowAt = first + graceMs;
  const mediumAt = Math.min(
    Math.max(lowAt, Math.min(second + graceMs, lastAt + silentAfterMs)),
    lastAt + silentAfterMs + graceMs,
  );
  if (now >= mediumAt) {
    return { rule: 'readings.silent', priority: 'medium', since: mediumAt };
  }
  return now >= lowAt ? { rule: 'readings.missed', priority: 'low', since: lowAt } : null;
}
