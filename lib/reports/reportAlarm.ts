import type { Active, NamedRule } from '../alerts/episode';
import type { RuleId } from '../alerts/ruleNames';
import type { EpochMs } from '../time/epochMs';

/** Raised by an issue report, and ended by its triage or by a person who resolves it (clinical.md section 5). */
export const reportAlarmRule = { rule: 'report.s1', priority: 'high' } as const satisfies NamedRule;

/** Returns the active rule of a unit whose newest S1 report alarms since then; null: none does. */
export function reportAlarm(since: EpochMs | null): Active<RuleId> | null {
  return since === null ? null : { ...reportAlarmRule, since };
}
