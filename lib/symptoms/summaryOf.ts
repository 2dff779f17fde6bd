import type { EpochMs } from '../time/epochMs';
import { changeOf, type Change, type GradedReport } from './gradedReport';
import { gradeOf, type Grade } from './severity';
import { symptoms, type RedFlag, type Symptom } from './symptoms';

/** What a list shows of a patient's newest report. */
export interface SymptomSummary {
  reportedAt: EpochMs;
  /** The most severe answer, absent included; null: no symptom was answered. */
  worst: { symptom: Symptom; grade: Grade } | null;
  redFlags: readonly RedFlag[];
  /** Something is worse, or new, than in the reports before. */
  change: Change | null;
}

const names = Object.keys(symptoms) as Symptom[];

/** Returns the summary of the first of some reports, the newest first; null if there is none. */
export function summaryOf(newestFirst: readonly GradedReport[]): SymptomSummary | null {
  const [newest] = newestFirst;
  if (newest === undefined) {
    return null;
  }
  const { reportedAt, answers, redFlags, sinceYesterday } = newest;
  const answered = names.flatMap((symptom) => {
    const grade = gradeOf(answers[symptom]);
    return grade === null ? [] : [{ symptom, grade }];
  });
  const changes = answered.map(({ symptom }) => changeOf(newestFirst, symptom));
  return {
    reportedAt,
    worst: answered.reduce<SymptomSummary['worst']>(
      (worst, one) => (worst === null || one.grade > worst.grade ? one : worst),
      null,
    ),
    redFlags,
    change: sinceYesterday === 'worse' || changes.includes('worse') ? 'worse' : changes.includes('new') ? 'new' : null,
  };
}
