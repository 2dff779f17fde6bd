import { changeOf, type GradedReport } from './gradedReport';
import type { SymptomAnswer } from './symptoms';

/** Reports of a cough, the newest first; undefined: it was not asked. */
const reports = (...answers: (SymptomAnswer | undefined)[]): GradedReport[] =>
  answers.map((cough, index) => ({
    reportedAt: 1_000 - index,
    answers: cough === undefined ? {} : { cough },
    redFlags: [],
    sinceYesterday: null,
  }));

describe('changeOf', () => {
  it.each([
    [[], null],
    [[undefined], null],
    [['unanswered'], null],
    [['absent', 'severe'], null],
    [['mild'], 'new'],
    [['mild', 'absent'], 'new'],
    [['mild', 'unanswered', 'absent'], 'new'],
    [['severe', undefined, 'mild'], 'worse'],
    [['mild', 'mild'], null],
    [['mild', 'severe'], null],
    [[undefined, 'moderate', 'mild'], 'worse'],
  ] as const)('%j: %s', (answers, change) => {
    expect(changeOf(reports(...answers), 'cough')).toBe(change);
  });
});
