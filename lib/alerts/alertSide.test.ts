import { alertSide } from './alertSide';
import { unreadEvidence, type Evidence } from './evidence';
import { atLeast, atMost, below, type Limit } from './limit';

const evidenceOf = (raise: readonly Limit[], ...samples: [kind: 'spo2' | 'heartRate' | 'pulseRate', value: number][]) =>
  ({
    ruleVersion: 1,
    limits: { raise, clear: [] },
    samples: samples.map(([kind, value]) => ({ kind, value, measuredAt: 0, deviceId: 1, isDoubtful: false })),
  }) satisfies Evidence;
const extreme = [atMost(40), atLeast(150)];

describe('the side of an alert', () => {
  it('is not known without a limit, and with evidence that cannot be read', () => {
    expect(alertSide({ rule: 'symptoms.red_flag' }, { ruleVersion: 1, limits: null, samples: [] })).toBeNull();
    expect(alertSide({ rule: 'hr.extreme' }, unreadEvidence)).toBeNull();
  });

  it('is not known if the values are beyond neither limit', () => {
    expect(alertSide({ rule: 'hr.extreme' }, evidenceOf(extreme, ['heartRate', 80]))).toBeNull();
  });

  it('is that of the only limit, whatever the values are by now', () => {
    expect(alertSide({ rule: 'spo2.low' }, evidenceOf([below(88)], ['spo2', 99]))).toBe('low');
    expect(alertSide({ rule: 'spo2.over_o2' }, evidenceOf([atLeast(97)]))).toBe('high');
    expect(alertSide({ rule: 'hr.low' }, evidenceOf([atMost(45)]))).toBe('low');
  });

  it('is that of the limit which the newest value beyond one is beyond', () => {
    expect(alertSide({ rule: 'hr.extreme' }, evidenceOf(extreme, ['heartRate', 152]))).toBe('high');
    expect(alertSide({ rule: 'hr.extreme' }, evidenceOf(extreme, ['heartRate', 30], ['heartRate', 152]))).toBe('low');
    // The ECG is well while the oximeter is not (clinical.md section 0, Q4).
    expect(alertSide({ rule: 'hr.extreme' }, evidenceOf(extreme, ['heartRate', 80], ['pulseRate', 30]))).toBe('low');
  });

  it('is evaluated on the value that is shown', () => {
    expect(alertSide({ rule: 'hr.extreme' }, evidenceOf(extreme, ['heartRate', 149.6]))).toBe('high');
  });

  it('of a trend is not that of the difference', () => {
    expect(alertSide({ rule: 'spo2.drop' }, evidenceOf([atLeast(3)], ['spo2', 91]))).toBe('low');
    expect(alertSide({ rule: 'hr.jump' }, evidenceOf([atLeast(30)], ['heartRate', 120]))).toBeNull();
  });
});
