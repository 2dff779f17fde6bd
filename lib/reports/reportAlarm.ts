import type { Active } from '../alerts/episode';
import type { EpochMs } from '../time/epochMs';

/** Each needs its sentence (lib/alerts/sentence). */
export type ReportRuleId = 'report.s1';

/** Raised by an issue report, and ended by its triage or by a person who resolves it (clinical.md section 5). */
export const reportAlarmRule = { rule: 'report.s1', priority: 'high' } as const satisfies Omit<
  Active<ReportRuleId>,
  'since'
>;

/** Returns the active rule of a unit whose newest S1 report alarms since then; null: none does. */
export function reportAlarm(since: EpochMs | null): Active<ReportRuleId> | null {
  return since === null ? null : { ...reportAlarmRule, since };
}
