import { symptoms, type RedFlag, type Symptom, type SymptomAnswer } from '../symptoms/symptoms';
import type { EpochMs } from '../time/epochMs';
import type { RuleId } from './ruleNames';

/** A person alone ends it (clinical.md section 0, Y1). */
export const redFlagRule = 'symptoms.red_flag' satisfies RuleId;

/** New or worse symptoms. */
export const amberRule = 'symptoms.amber' satisfies RuleId;

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
export const amberWhenNew: readonly Symptom[] = ['palpitations', 'dizziness', 'oedema', 'footSwelling'];

/** A symptom that is new, or more severe, than in the report before. */
export interface SymptomChange {
  symptom: Symptom;
  is: 'new' | 'worse';
}

/**
 * Returns the symptoms that are new or worse in a report than in the one before it (null: none), in the order of
 * screens: all that `openCauses` is amber for, and milder ones that were absent. A symptom that was not answered
 * before is new only if the rules take it so.
 */
export function changedSymptoms(report: EvaluatedReport, before: EvaluatedReport | null): SymptomChange[] {
  return (Object.keys(symptoms) as Symptom[]).flatMap((symptom): SymptomChange[] => {
    const grade = gradeOf(report, symptom) ?? 0;
    const grewFrom = before === null ? null : gradeOf(before, symptom);
    if (grade <= (grewFrom ?? 0)) {
      return [];
    }
    const isNew = grewFrom === 0 || (grewFrom === null && amberWhenNew.includes(symptom));
    return isNew ? [{ symptom, is: 'new' }] : grewFrom === null ? [] : [{ symptom, is: 'worse' }];
  });
}

/** Returns 0 for absent to 3 for severe; null if the report does not mention the symptom. */
export function gradeOf({ answers }: EvaluatedReport, symptom: Symptom): number | null {
  const grade = grades.findIndex((known) => known === answers[symptom]);
  return grade === -1 ? null : grade;
}
