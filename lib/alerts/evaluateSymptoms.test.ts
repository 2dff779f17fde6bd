import { redFlags, type RedFlag } from '../symptoms/symptoms';
import { evaluateSymptoms, type EvaluatedReport } from './evaluateSymptoms';

const reportOf = (more: Partial<EvaluatedReport> = {}): EvaluatedReport => ({
  reportedAt: 1_000,
  recordedAt: 1_000,
  answers: {},
  redFlags: [],
  sinceYesterday: null,
  ...more,
});

describe('judgeSymptoms', () => {
  it.each(Object.keys(redFlags) as RedFlag[])('raises HIGH for %s', (flag) => {
    expect(evaluateSymptoms(reportOf({ redFlags: [flag] }), null)).toEqual({
      rule: 'symptoms.red_flag',
      priority: 'high',
      since: 1_000,
    });
  });

  it.each<[string, EvaluatedReport, EvaluatedReport | null, string | undefined]>([
    ['a flag that follows from an answer', reportOf({ answers: { dyspnoea: 'severe' } }), null, 'high'],
    ['worse than yesterday', reportOf({ sinceYesterday: 'worse' }), null, 'medium'],
    ['the same as yesterday', reportOf({ sinceYesterday: 'same', answers: { cough: 'mild' } }), null, undefined],
    [
      'a symptom that grew to moderate',
      reportOf({ answers: { cough: 'moderate' } }),
      reportOf({ answers: { cough: 'mild' } }),
      'medium',
    ],
    [
      'one that grew to mild',
      reportOf({ answers: { cough: 'mild' } }),
      reportOf({ answers: { cough: 'absent' } }),
      undefined,
    ],
    [
      'one that stays moderate',
      reportOf({ answers: { cough: 'moderate' } }),
      reportOf({ answers: { cough: 'moderate' } }),
      undefined,
    ],
    [
      'a moderate one that was not asked for before',
      reportOf({ answers: { cough: 'moderate' } }),
      reportOf(),
      undefined,
    ],
    [
      'new dizziness',
      reportOf({ answers: { dizziness: 'mild' } }),
      reportOf({ answers: { dizziness: 'absent' } }),
      'medium',
    ],
    ['dizziness in the first report', reportOf({ answers: { dizziness: 'mild' } }), null, 'medium'],
    [
      'dizziness as before',
      reportOf({ answers: { dizziness: 'mild' } }),
      reportOf({ answers: { dizziness: 'mild' } }),
      undefined,
    ],
    ['dizziness without an answer', reportOf({ answers: { dizziness: 'unanswered' } }), null, undefined],
    ['nothing', reportOf({ answers: { cough: 'absent' } }), null, undefined],
  ])('judges %s', (_, report, before, priority) => {
    expect(evaluateSymptoms(report, before)?.priority).toBe(priority);
  });
});
