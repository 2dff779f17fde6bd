import type { Severity } from './severities';

/** What decides whether a handoff can be given. */
export interface Giveable {
  severity: Severity | null;
  summary: string;
  contingencies: readonly unknown[];
  /** Its text was taken over from the handoff before. */
  isCarried: boolean;
  isReviewed: boolean;
}

/** Returns what is missing before a handoff can be given, by field; empty: nothing (clinical.md section 5). */
export function missingOf({
  severity,
  summary,
  contingencies,
  isCarried,
  isReviewed,
}: Giveable): Record<string, string> {
  const hasText = summary.trim() !== '' || contingencies.length > 0;
  return {
    ...(severity === null ? { severity: 'is needed' } : {}),
    ...(severity !== null && severity !== 'stable' && contingencies.length === 0
      ? { contingencies: 'needs at least one if-then for a watcher or an unstable patient' }
      : {}),
    ...(isCarried && !isReviewed && hasText ? { summary: 'is of the handoff before: confirm or change it' } : {}),
  };
}
