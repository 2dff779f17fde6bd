import { inventedPatient, inventedValue, wardNow } from '../../test/inventedWard';
import type { Patient, PatientAlert } from './schema';
import { valueMark, type MarkedKind } from './valueMark';

const markOf = (kind: MarkedKind, change: Partial<Patient>) =>
  valueMark(inventedPatient(1, change), kind, wardNow, 'Europe/London');
const alert: PatientAlert = {
  id: 1,
  parameter: 'spo2',
  priority: 'medium',
  side: 'low',
  condition: 'active',
  acknowledged: false,
  owner: null,
  raisedAt: '2026-03-07T14:59:00.000Z',
  confirmBy: null,
};
const spo2 = (value: number) => ({ spo2: inventedValue({ value }) });

describe('the mark of a value', () => {
  it.each([96, 94, 92])('is none for an SpO2 of %d %%, which has less than three points', (value) => {
    expect(markOf('spo2', { latest: spo2(value) })).toBeNull();
  });

  it('is none for a value that is withdrawn or uncertain', () => {
    expect(markOf('spo2', { latest: {} })).toBeNull();
    const old = inventedValue({ value: 80, asOf: new Date(wardNow - 120_000).toISOString() });
    expect(markOf('spo2', { latest: { spo2: old } })).toBeNull();
    expect(markOf('spo2', { latest: { spo2: inventedValue({ value: 80, quality: 'questionable' }) } })).toBeNull();
  });

  it('is none for a patient to whom NEWS2 does not apply', () => {
    expect(markOf('spo2', { latest: spo2(80), news2ExemptFor: 'pregnancy' })).toBeNull();
    expect(markOf('spo2', { latest: spo2(80), dateOfBirth: '2015-01-01' })).toBeNull();
  });

  it('is bold where three points have raised no alert yet', () => {
    expect(markOf('spo2', { latest: spo2(91) })).toMatchObject({ look: 'bold', side: 'low' });
    const rate = (value: number) => ({ pulseRate: inventedValue({ value, unit: '/min' }) });
    expect(markOf('pulseRate', { latest: rate(40) })).toMatchObject({ look: 'bold', side: 'low' });
    expect(markOf('pulseRate', { latest: rate(131) })).toMatchObject({ look: 'bold', side: 'high' });
  });

  it('follows the scale of the patient', () => {
    expect(markOf('spo2', { latest: spo2(88), spo2Scale: 2 })).toBeNull();
    expect(markOf('spo2', { latest: spo2(83), spo2Scale: 2 })).toMatchObject({ look: 'bold', side: 'low' });
    const onOxygen = { ...spo2(98), oxygenFlow: inventedValue({ value: 2, unit: 'L/min' }) };
    expect(markOf('spo2', { latest: onOxygen, spo2Scale: 2 })).toMatchObject({ look: 'bold', side: 'high' });
  });

  it('is that of the rate that is shown, not of the other one', () => {
    const latest = {
      heartRate: inventedValue({ value: 80, unit: '/min' }),
      pulseRate: inventedValue({ value: 135, unit: '/min' }),
    };
    expect(markOf('heartRate', { latest })).toBeNull();
    expect(markOf('pulseRate', { latest })).toMatchObject({ look: 'bold' });
  });

  it('is that of the alert where there is one, whatever the value is by now', () => {
    expect(markOf('spo2', { latest: spo2(80), alerts: [alert] })).toMatchObject({ look: 'filled', priority: 'medium' });
    expect(markOf('spo2', { latest: {}, alerts: [alert] })).toMatchObject({ look: 'filled' });
    expect(markOf('heartRate', { alerts: [{ ...alert, parameter: 'rate' }] })).toMatchObject({ look: 'filled' });
  });
});
