import type { EpochMs } from '../time/epochMs';
import { changeOf, saysSymptoms, type GradedReport } from './gradedReport';
import { gradeOf } from './severity';
import type { ShownSummary } from './summarySchema';
import { redFlags as redFlagLabels, symptoms, type RedFlag, type Symptom } from './symptoms';

/** What a list shows of a patient's newest report. */
type SymptomSummary = Omit<ShownSummary, 'reportedAt' | 'redFlagsAt'> & {
  reportedAt: EpochMs;
  redFlagsAt: EpochMs | null;
};

const names = Object.keys(symptoms) as Symptom[];

const dayMs = 24 * 3_600_000;

/**
 * Returns the summary of some reports, the newest first; null if there is none. Answers are those of the newest one
 * that says something of symptoms.
 */
export function summaryOf(newestFirst: readonly GradedReport[]): SymptomSummary | null {
  const [first] = newestFirst;
  const said = newestFirst.filter(saysSymptoms);
  const newest = said[0] ?? first;
  if (first === undefined || newest === undefined) {
    return null;
  }
  const { reportedAt, answers, sinceYesterday } = newest;
  const ofDay = newestFirst.filter((report) => report.reportedAt > first.reportedAt - dayMs);
  const flagged = ofDay.filter(({ redFlags }) => redFlags.length > 0);
  const known = flagged.flatMap(({ redFlags }) => redFlags);
  const scored = ofDay.find(({ breathlessness }) => typeof breathlessness === 'number');
  const answered = names.flatMap((symptom) => {
    const grade = gradeOf(answers[symptom]);
    return grade === null ? [] : [{ symptom, grade }];
  });
  const changes = answered.map(({ symptom }) => changeOf(said, symptom));
  return {
    reportedAt,
    worst: answered.reduce<SymptomSummary['worst']>(
      (worst, one) => (worst === null || one.grade > worst.grade ? one : worst),
      null,
    ),
    redFlags: (Object.keys(redFlagLabels) as RedFlag[]).filter((flag) => known.includes(flag)),
    redFlagsAt: flagged[0]?.reportedAt ?? null,
    breathlessness: scored?.breathlessness ?? null,
    change: sinceYesterday === 'worse' || changes.includes('worse') ? 'worse' : changes.includes('new') ? 'new' : null,
    unreadable: ofDay.some(({ isUnreadable }) => isUnreadable === true),
  };
}
