import { redFlagsOf } from '../symptoms/redFlagsOf';
import type { RedFlag, Symptom, SymptomAnswer } from '../symptoms/symptoms';
import type { EpochMs } from '../time/epochMs';
import type { Active } from './episode';

/** Each needs its sentence (lib/alerts/sentence). */
export type SymptomRuleId = typeof redFlagRule | 'symptoms.amber';

/** A person alone ends it (clinical.md section 0, Y1). */
export const redFlagRule = 'symptoms.red_flag';

/** A patient's report of symptoms, as far as alerts depend on it. */
export interface EvaluatedReport {
  /** Epoch milliseconds: when it was so, and when it was entered. */
  reportedAt: EpochMs;
  recordedAt: EpochMs;
  answers: Partial<Record<Symptom, SymptomAnswer>>;
  redFlags: readonly RedFlag[];
  sinceYesterday: 'worse' | 'same' | 'better' | null;
  /** It was entered in error: it raises nothing, and ends no red flag. */
  isInError?: boolean;
}

const grades = ['absent', 'mild', 'moderate', 'severe'] as const;
/** These are amber when they are new, however mild (clinical.md section 6). */
const amberWhenNew: readonly Symptom[] = ['palpitations', 'dizziness', 'oedema', 'footSwelling'];

/**
 * Takes a patient's newest report and the one before it (null: none), and returns the active rule, or null. A red flag
 * is HIGH whatever the numbers say. Worse than yesterday, a symptom that grew to moderate or more, and new
 * palpitations, dizziness or swelling are MEDIUM (clinical.md sections 2.5 and 6). mMRC and the breathlessness score
 * raise no alert.
 */
export function evaluateSymptoms(
  report: EvaluatedReport,
  before: EvaluatedReport | null,
): Active<SymptomRuleId> | null {
  const since = report.reportedAt;
  if (redFlagsOf(report.answers, report.redFlags).length > 0) {
    return { rule: redFlagRule, priority: 'high', since };
  }
  const isAmber =
    report.sinceYesterday === 'worse' ||
    (Object.keys(report.answers) as Symptom[]).some((symptom) => {
      const grade = gradeOf(report, symptom);
      const grewFrom = before === null ? null : gradeOf(before, symptom);
      const isNew = grade !== null && grade > 0 && (grewFrom ?? 0) === 0;
      const isGrown = grade !== null && grade >= 2 && grewFrom !== null && grade > grewFrom;
      return isGrown || (isNew && amberWhenNew.includes(symptom));
    });
  return isAmber ? { rule: 'symptoms.amber', priority: 'medium', since } : null;
}

/** Returns 0 for absent to 3 for severe; null if the report does not mention the symptom. */
function gradeOf({ answers }: EvaluatedReport, symptom: Symptom): number | null {
  const grade = grades.findIndex((known) => known === answers[symptom]);
  return grade === -1 ? null : grade;
}
