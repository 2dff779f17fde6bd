import type { EpochMs } from '../time/epochMs';
import { changeOf, saysSymptoms, type Change, type GradedReport } from './gradedReport';
import { gradeOf, type Grade } from './severity';
import { redFlags as redFlagLabels, symptoms, type RedFlag, type Symptom } from './symptoms';

/** What a list shows of a patient's newest report. */
export interface SymptomSummary {
  reportedAt: EpochMs;
  /** The most severe answer, absent included; null: no symptom was answered. */
  worst: { symptom: Symptom; grade: Grade } | null;
  /** Those of the day before the newest report: a later report without them ends none. */
  redFlags: readonly RedFlag[];
  /** When the newest of them was reported; null: there is none. */
  redFlagsAt: EpochMs | null;
  /** The newest score of breathlessness of that day, 0 to 10; null: there is none. */
  breathlessness: number | null;
  /** Something is worse, or new, than in the reports before. */
  change: Change | null;
  /** A report of that day cannot be read: what it says is unknown. */
  unreadable: boolean;
}

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
