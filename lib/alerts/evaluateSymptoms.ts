import { redFlagsOf } from '../symptoms/redFlagsOf';
import type { RedFlag, Symptom, SymptomAnswer } from '../symptoms/symptoms';
import type { Active } from './episode';

/** Each needs its words (lib/alerts/sentence). */
export type SymptomRuleId = 'symptoms.red_flag' | 'symptoms.amber';

/** What a patient said of themselves at one moment, as far as an alert follows from it. */
export interface EvaluatedReport {
  /** Epoch milliseconds. */
  reportedAt: number;
  answers: Partial<Record<Symptom, SymptomAnswer>>;
  redFlags: readonly RedFlag[];
  sinceYesterday: 'worse' | 'same' | 'better' | null;
}

const grades = ['absent', 'mild', 'moderate', 'severe'] as const;
/** New ones of these are amber, however mild (clinical.md section 6). */
const amberWhenNew: readonly Symptom[] = ['palpitations', 'dizziness', 'oedema', 'footSwelling'];

/**
 * Takes a patient's newest report and the one before it (null: none), and returns what is told of it: a red flag is
 * HIGH whatever the numbers say; worse than yesterday, a symptom that grew to moderate or more, and new palpitations,
 * dizziness or swelling are MEDIUM (clinical.md sections 2.5 and 6). mMRC and the score of breathlessness drive no
 * alert.
 */
export function evaluateSymptoms(
  report: EvaluatedReport,
  before: EvaluatedReport | null,
): Active<SymptomRuleId> | null {
  const since = report.reportedAt;
  if (redFlagsOf(report.answers, report.redFlags).length > 0) {
    return { rule: 'symptoms.red_flag', priority: 'high', since };
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

/** 0 for absent to 3 for severe; null where nothing was said. */
function gradeOf({ answers }: EvaluatedReport, symptom: Symptom): number | null {
  const grade = grades.findIndex((known) => known === answers[symptom]);
  return grade === -1 ? null : grade;
}
