import type { PatientLimitsResponse } from '../../lib/alerts/limitsSchema';
import { limitLines } from './limitLines';

const item: PatientLimitsResponse['items'][number] = {
  rule: 'spo2.low',
  priority: 'high',
  unit: '%',
  lowIs: 'below',
  delayMs: 60_000,
  bounds: { low: { min: 70, max: 92 }, high: null },
  default: { low: 88, high: null },
  site: null,
  own: null,
  holds: { low: 85, high: null },
};

describe('the limits on a printed chart', () => {
  it('are the figures that apply, with the one that follows from them', () => {
    const other = { ...item, rule: 'spo2.below' as const, default: null, holds: null };
    expect(limitLines({ profile: 'continuous', spo2Scale: 1 }, { items: [item, other] })).toEqual([
      'SpO2 very low: < 75, at once',
      'SpO2 low: < 85 %',
    ]);
  });

  it('are those of single readings at home', () => {
    const lines = limitLines({ profile: 'home', spo2Scale: 1 }, { items: [item] });
    expect(lines[0]).toBe('SpO2 reading: high ≤ 92; medium ≤ 94');
    expect(lines.join()).not.toContain('85');
  });
});
