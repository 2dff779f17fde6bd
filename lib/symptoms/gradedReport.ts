import type { EpochMs } from '../time/epochMs';
import { gradeOf } from './severity';
import type { RedFlag, Symptom, SymptomAnswer } from './symptoms';

/** A report as strips, lists and counts take it. */
export interface GradedReport {
  reportedAt: EpochMs;
  answers: Partial<Record<Symptom, SymptomAnswer>>;
  /** Ticked ones and those that follow from the answers. */
  redFlags: readonly RedFlag[];
  sinceYesterday: 'worse' | 'same' | 'better' | null;
  /** How breathless they are, 0 to 10; only what lists show has it. */
  breathlessness?: number | null;
  /** Its row is damaged: what it says is unknown, which is not "no symptoms". */
  isUnreadable?: true;
}

/** Returns whether a report says something of symptoms. A score alone does not: it hides no answer of another one. */
export function saysSymptoms({ answers, redFlags, sinceYesterday }: GradedReport): boolean {
  return (
    redFlags.length > 0 || sinceYesterday !== null || Object.values(answers).some((answer) => gradeOf(answer) !== null)
  );
}

export type Change = 'new' | 'worse';

/**
 * Returns whether a symptom is new or got worse with its last answer; null: neither. `newestFirst` are reports, the
 * newest first. A symptom that is present and was not answered before is new, as the rules take it
 * (lib/alerts/evaluateSymptoms).
 */
export function changeOf(newestFirst: readonly GradedReport[], symptom: Symptom): Change | null {
  let last: number | null = null;
  for (const { answers } of newestFirst) {
    const grade = gradeOf(answers[symptom]);
    if (grade !== null && last === null) {
      if (grade === 0) {
        return null;
      }
      last = grade;
    } else if (grade !== null && last !== null) {
      return grade === 0 ? 'new' : grade < last ? 'worse' : null;
    }
  }
  return last === null ? null : 'new';
}
