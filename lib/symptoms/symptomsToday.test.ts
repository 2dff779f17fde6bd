import type { GradedReport } from './gradedReport';
import type { RedFlag } from './symptoms';
import { symptomsToday } from './symptomsToday';

const report = (answers: GradedReport['answers'], redFlags: RedFlag[] = []): GradedReport => ({
  reportedAt: 1_000,
  answers,
  redFlags,
  sinceYesterday: null,
});

describe('the symptoms of today', () => {
  it('count patients and not reports, with all patients as the denominator', () => {
    expect(symptomsToday([[report({ cough: 'mild' }), report({ cough: 'absent' })], [], [report({})]])).toEqual({
      total: 3,
      reported: 2,
      unreadable: 0,
      redFlags: [],
      symptoms: [{ symptom: 'cough', severe: 0, moderate: 0, mild: 1, absent: 0, unanswered: 0, unreadable: 0 }],
    });
  });

  it('count a report that cannot be read as unknown, which is not absent, and never as none', () => {
    const damaged: GradedReport = { ...report({}), isUnreadable: true };
    const today = symptomsToday([
      [damaged, report({ cough: 'absent' })],
      [damaged, report({ cough: 'mild' })],
      [damaged],
    ]);
    expect(today).toMatchObject({
      reported: 3,
      unreadable: 3,
      symptoms: [{ symptom: 'cough', mild: 1, absent: 0, unreadable: 2 }],
    });
  });

  it('count a red flag once a patient, also if a later report is without it', () => {
    const today = symptomsToday([[report({}), report({}, ['blueLips'])], [report({}, ['blueLips', 'seizure'])]]);
    expect(today.redFlags).toEqual([
      { flag: 'blueLips', patients: 2 },
      { flag: 'seizure', patients: 1 },
    ]);
  });

  it('have the most severe symptom first, and neither absent nor no answer is a missing one', () => {
    const { symptoms } = symptomsToday([
      [report({ wheeze: 'severe', cough: 'moderate', fever: 'absent' })],
      [report({ cough: 'moderate', fever: 'unanswered' })],
    ]);
    expect(symptoms.map(({ symptom, absent, unanswered }) => [symptom, absent, unanswered])).toEqual([
      ['wheeze', 0, 0],
      ['cough', 0, 0],
      ['fever', 1, 1],
    ]);
  });
});
