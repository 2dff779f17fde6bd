import type { PatientAlert } from '../patients/schema';
import { alertWords, numberMark } from './numberMark';

const alert: PatientAlert = {
  id: 1,
  parameter: 'spo2',
  priority: 'high',
  side: 'low',
  condition: 'active',
  acknowledged: false,
  owner: null,
  raisedAt: '2026-03-07T15:00:00.000Z',
  confirmBy: null,
};

describe('the mark of a number', () => {
  it('is not there without an open alert of its own parameter', () => {
    expect(numberMark([], 'spo2')).toBeNull();
    expect(numberMark([{ ...alert, parameter: 'sensor' }], 'spo2')).toBeNull();
    expect(numberMark([alert], 'rate')).toBeNull();
  });

  it('is not there once an ended alert was acknowledged', () => {
    expect(numberMark([{ ...alert, condition: 'ended', acknowledged: true }], 'spo2')).toBeNull();
  });

  it.each<[Partial<PatientAlert>, string, 'low' | null]>([
    [{}, 'filled', 'low'],
    [{ acknowledged: true }, 'outlined', 'low'],
    [{ owner: 'ND' }, 'outlined', 'low'],
    [{ acknowledged: true, owner: 'ND' }, 'outlined', 'low'],
    [{ condition: 'ended' }, 'dashed', null],
    [{ condition: 'ended', owner: 'ND' }, 'dashed', null],
  ])('of %j is %s', (change, look, side) => {
    expect(numberMark([{ ...alert, ...change }], 'spo2')).toMatchObject({ look, side, priority: 'high' });
  });

  it('has the priority of its own alert, not of the patient’s worst', () => {
    const rate: PatientAlert = { ...alert, id: 2, parameter: 'rate', priority: 'low', side: 'high' };
    expect(numberMark([alert, rate], 'rate')).toMatchObject({ priority: 'low', side: 'high' });
  });
});

it.each<[Partial<PatientAlert>, string]>([
  [{}, 'high-priority alert'],
  [{ priority: 'medium', acknowledged: true }, 'medium-priority alert, acknowledged'],
  [{ acknowledged: true, owner: 'ND' }, 'high-priority alert, taken by ND'],
  [{ condition: 'ended' }, 'high-priority alert, ended, not acknowledged'],
  [{ condition: 'ended', owner: 'ND' }, 'high-priority alert, ended, taken by ND, not acknowledged'],
])('%j is read out as "%s"', (change, words) => {
  expect(alertWords({ ...alert, ...change })).toBe(words);
});
