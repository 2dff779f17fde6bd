import type { Change } from './gradedReport';
import type { CellCode } from './severity';
import type { SymptomReport } from './schema';
import { symptoms, type Symptom, type SymptomAnswer } from './symptoms';

export const cellWords = {
  '.': 'not asked',
  u: 'no answer',
  '0': 'absent',
  '?': 'cannot be read',
  '1': 'mild',
  '2': 'moderate',
  '3': 'severe',
} as const satisfies Record<CellCode, string>;

export const answerWords = {
  absent: 'Absent',
  mild: 'Mild',
  moderate: 'Moderate',
  severe: 'Severe',
  unanswered: 'No answer',
} as const satisfies Record<SymptomAnswer, string>;

export const changeWords = { new: 'new', worse: 'worse' } as const satisfies Record<Change, string>;

export const sinceYesterdayWords = {
  worse: 'Worse than yesterday',
  same: 'Same as yesterday',
  better: 'Better than yesterday',
} as const satisfies Record<NonNullable<SymptomReport['sinceYesterday']>, string>;

/** The mMRC scale (clinical.md section 6), from 0. */
export const mmrcWords = [
  '0: breathless with strenuous exercise only',
  '1: hurrying or on a slight hill',
  '2: slower than others, or stops at own pace',
  '3: stops after 100 m or a few minutes',
  '4: too breathless to leave the house',
] as const;

/** Returns "Cough moderate, Fever absent, Wheeze no answer", in the order of screens. */
export function answersText(answers: SymptomReport['answers']): string {
  return (Object.keys(symptoms) as Symptom[])
    .flatMap((symptom) => {
      const answer = answers[symptom];
      return answer === undefined ? [] : [`${symptoms[symptom].label} ${answerWords[answer].toLowerCase()}`];
    })
    .join(', ');
}
