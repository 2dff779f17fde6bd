import { allergiesText } from './allergiesText';
import { codeStatusText } from './codeStatusText';
import { isPartialDate } from './isPartialDate';
import type { ChartSummary } from './schema';

const entry = {
  id: 1,
  source: 'Letter of the practice',
  effectiveAt: '2026-03-07T12:00:00.000Z',
  author: { id: 1, name: 'Robin Example' },
  recordedAt: '2026-03-08T12:00:00.000Z',
  replaces: null,
  reason: null,
  status: 'current' as const,
  mark: null,
};
const codeStatus = (value: NonNullable<ChartSummary['codeStatus']>['value']) => ({
  ...entry,
  section: 'codeStatus' as const,
  value,
});
const allergy = (value: ChartSummary['allergies'][number]['value']) => ({
  ...entry,
  section: 'allergies' as const,
  value,
});

describe('the text of a code status', () => {
  it('is nothing if none is recorded: it does not say "full"', () => {
    expect(codeStatusText(null, 'UTC')).toBeNull();
  });

  it('names source and date, and what is limited', () => {
    expect(codeStatusText(codeStatus({ status: 'noCpr', limits: null }), 'UTC')).toBe(
      'No CPR (Letter of the practice, 07 Mar 2026)',
    );
    expect(codeStatusText(codeStatus({ status: 'limited', limits: 'no intubation' }), 'UTC')).toBe(
      'Limited treatment: no intubation (Letter of the practice, 07 Mar 2026)',
    );
  });
});

describe('the text of allergies', () => {
  it('tells "not asked" from "none known"', () => {
    expect(allergiesText([])).toBeNull();
    expect(allergiesText([allergy({ is: 'none' })])).toBe('No known allergies');
  });

  it('names each with its severity, known or not', () => {
    expect(
      allergiesText([
        allergy({ is: 'allergy', substance: 'Penicillin', reaction: 'rash', severity: 'severe' }),
        allergy({ is: 'allergy', substance: 'Latex', reaction: null, severity: 'unknown' }),
      ]),
    ).toBe('Penicillin: rash (severe); Latex (severity not known)');
  });
});

it.each([
  ['2019', true],
  ['2019-03', true],
  ['2019-03-07', true],
  ['2019-13', false],
  ['2019-02-30', false],
  ['19', false],
  ['', false],
])('the date of a condition can be %j: %s', (text, is) => {
  expect(isPartialDate(text)).toBe(is);
});
