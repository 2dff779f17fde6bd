import { redFlags, type RedFlag } from '../symptoms/symptoms';
import { changedSymptoms, type EvaluatedReport } from './evaluateSymptoms';
import { nextSymptomEpisode } from './symptomEpisode';

const reportOf = (more: Partial<EvaluatedReport> = {}): EvaluatedReport => ({
  reportedAt: 1_000,
  recordedAt: 1_000,
  answers: {},
  redFlags: [],
  sinceYesterday: null,
  ...more,
});

/** What a report raises after another one, which a person has answered. */
const raisedBy = (report: EvaluatedReport, before: EvaluatedReport | null) => {
  const earlier = before === null ? [] : [{ ...before, reportedAt: 500, recordedAt: 500 }];
  return nextSymptomEpisode(null, [report, ...earlier], 500, 1_000);
};

describe('a report of symptoms', () => {
  it.each(Object.keys(redFlags) as RedFlag[])('raises HIGH for %s', (flag) => {
    expect(raisedBy(reportOf({ redFlags: [flag] }), null)).toMatchObject({
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
    expect(raisedBy(report, before)?.priority).toBe(priority);
  });
});

describe('the symptoms that changed', () => {
  it('are those that are new or worse, and no others', () => {
    const before = reportOf({ answers: { dyspnoea: 'moderate', cough: 'mild', fever: 'absent', fatigue: 'severe' } });
    const report = reportOf({
      answers: { dyspnoea: 'moderate', cough: 'moderate', fever: 'mild', fatigue: 'mild', nausea: 'absent' },
    });
    expect(changedSymptoms(report, before)).toEqual([
      { symptom: 'cough', is: 'worse' },
      { symptom: 'fever', is: 'new' },
    ]);
  });

  it('call one that was not asked before new only if the rules do', () => {
    const report = reportOf({ answers: { cough: 'moderate', oedema: 'mild', fever: 'unanswered' } });
    for (const before of [null, reportOf(), reportOf({ answers: { cough: 'unanswered' } })]) {
      expect(changedSymptoms(report, before)).toEqual([{ symptom: 'oedema', is: 'new' }]);
    }
  });

  it('name every one for which the rules are amber', () => {
    const grades = ['absent', 'mild', 'moderate', 'severe', 'unanswered', undefined] as const;
    for (const symptom of ['wheeze', 'dizziness'] as const) {
      for (const [was, is] of grades.flatMap((one) => grades.map((other) => [one, other] as const))) {
        const reports = [reportOf({ answers: { [symptom]: is } }), reportOf({ answers: { [symptom]: was } })] as const;
        const named = changedSymptoms(...reports).map((changed) => changed.symptom);
        expect(raisedBy(...reports)?.priority === 'medium' ? named : [symptom]).toEqual([symptom]);
      }
    }
  });
});
