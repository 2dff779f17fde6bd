import { render, screen } from '@testing-library/react';
import { useChartSummary } from '../../hooks/useChart';
import type { ChartSummary } from '../../lib/chart/schema';
import { answered } from '../../test/calls';
import { inventedAllergy } from '../../test/inventedChart';
import { SafetyMarks } from './SafetyMarks';

jest.mock('../../hooks/useChart');

const text = (summary: Partial<ChartSummary> | undefined): string => {
  const known = { patientId: 1, version: 1, codeStatus: null, allergies: [], ...summary };
  jest.mocked(useChartSummary).mockReturnValue(answered(known, summary === undefined ? { data: undefined } : {}));
  const { container, unmount } = render(<SafetyMarks patientId={1} />);
  const said = [...container.children].map(({ textContent }) => textContent).join(' | ');
  unmount();
  return said;
};
const codeStatus = (value: NonNullable<ChartSummary['codeStatus']>['value']): ChartSummary['codeStatus'] => ({
  ...inventedAllergy(3, 'unused'),
  section: 'codeStatus',
  value,
});

describe('the marks beside a patient’s name', () => {
  it('say nothing of what is not known, or is another patient’s', () => {
    expect(text(undefined)).toBe('Code status not loaded | Allergies not loaded');
    expect(text({ patientId: 2, allergies: [inventedAllergy(1, 'Latex')] })).toBe(
      'Code status not loaded | Allergies not loaded',
    );
  });

  it('say that nothing is recorded, which is neither full treatment nor no allergy', () => {
    expect(text({})).toBe('Code status not recorded | Allergies not asked');
    expect(text({ codeStatus: codeStatus({ status: 'full', limits: null }) })).toMatch(/^Code status: full treatment/);
    expect(text({ allergies: [inventedAllergy(1, '', { value: { is: 'none' } })] })).toMatch(/No known allergies$/);
  });

  it('name what changes the treatment, with the number of allergies first', () => {
    const allergies = [inventedAllergy(1, 'Penicillin'), inventedAllergy(2, 'Latex')];
    expect(text({ codeStatus: codeStatus({ status: 'noCpr', limits: null }), allergies })).toBe(
      'Code status: No CPR | 2 allergies: Penicillin, Latex',
    );
    jest.mocked(useChartSummary).mockReturnValue(answered({ patientId: 1, version: 1, codeStatus: null, allergies }));
    render(<SafetyMarks patientId={1} />);
    expect(screen.getByTitle('2 allergies: Penicillin (severe); Latex (severe)')).toBeTruthy();
  });
});
