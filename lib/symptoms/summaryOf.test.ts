import type { GradedReport } from './gradedReport';
import { summaryOf } from './summaryOf';

const report = (change: Partial<GradedReport>): GradedReport => ({
  reportedAt: 1_000,
  answers: {},
  redFlags: [],
  sinceYesterday: null,
  ...change,
});

describe('the summary of the newest report', () => {
  it('is none without a report', () => {
    expect(summaryOf([])).toBeNull();
  });

  it('says that a report of the day cannot be read, beside what the others say', () => {
    const damaged = report({ isUnreadable: true });
    expect(summaryOf([damaged])).toMatchObject({ reportedAt: 1_000, worst: null, unreadable: true });
    const before = report({ answers: { cough: 'mild' } });
    expect(summaryOf([damaged, before])).toMatchObject({ worst: { symptom: 'cough', grade: 1 }, unreadable: true });
    const later = report({ reportedAt: 2_000 + 24 * 3_600_000, answers: { cough: 'mild' } });
    expect(summaryOf([later, damaged])?.unreadable).toBe(false);
  });

  it.each([
    ['nothing answered', report({ answers: { cough: 'unanswered' } }), null],
    ['all absent', report({ answers: { fever: 'absent', cough: 'absent' } }), { symptom: 'cough', grade: 0 }],
    [
      'the worst of several',
      report({ answers: { cough: 'mild', fever: 'severe', wheeze: 'absent' } }),
      { symptom: 'fever', grade: 3 },
    ],
  ])('has the worst answer, and absent only if it was said: %s', (_name, newest, worst) => {
    expect(summaryOf([newest])?.worst).toEqual(worst);
  });

  it('says worse before new, and of what the newest report answers only', () => {
    const before = report({ answers: { cough: 'mild', fever: 'absent' } });
    const change = (newest: Partial<GradedReport>) => summaryOf([report(newest), before])?.change;
    expect(change({ answers: { cough: 'moderate', fever: 'mild' } })).toBe('worse');
    expect(change({ answers: { fever: 'mild' } })).toBe('new');
    expect(change({ answers: { cough: 'mild' } })).toBeNull();
    expect(change({ answers: {}, sinceYesterday: 'worse' })).toBe('worse');
    expect(change({ answers: { wheeze: 'absent' } })).toBeNull();
  });

  it('keeps the red flags of a day, whatever is reported later, and no older ones', () => {
    const day = 24 * 3_600_000;
    const flagged = report({ redFlags: ['blueLips'] });
    const later = (ms: number) =>
      summaryOf([report({ reportedAt: 1_000 + ms, answers: { cough: 'absent' } }), flagged]);
    expect(later(day - 1)).toMatchObject({ worst: { grade: 0 }, redFlags: ['blueLips'], redFlagsAt: 1_000 });
    expect(later(day)).toMatchObject({ redFlags: [], redFlagsAt: null });
  });

  it('has a score of breathlessness, which alone hides no answer', () => {
    const scored = report({ reportedAt: 5_000, breathlessness: 10 });
    expect(summaryOf([scored])).toMatchObject({ reportedAt: 5_000, worst: null, breathlessness: 10 });
    expect(summaryOf([scored, report({ answers: { cough: 'severe' } })])).toMatchObject({
      reportedAt: 1_000,
      worst: { symptom: 'cough', grade: 3 },
      breathlessness: 10,
    });
  });
});
