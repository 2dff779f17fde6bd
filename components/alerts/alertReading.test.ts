import { parameters, type Parameter } from '../../lib/alerts/parameters';
import { inventedAlert } from '../../test/inventedAlert';
import { inventedPatient, inventedValue, secondsAgo, wardNow } from '../../test/inventedWard';
import { alertReading } from './alertReading';

const context = { now: wardNow, serverLost: null, timeZone: 'UTC' };
const patient = inventedPatient(1, {
  latest: {
    spo2: inventedValue({ value: 78 }),
    heartRate: inventedValue({ value: 80 }),
    pulseRate: inventedValue({ value: 30 }),
  },
});
const sample = (kind: 'pulseRate' | 'heartRate' | 'spo2') => ({
  kind,
  value: 30,
  takenAt: secondsAgo(9),
  quality: 'good' as const,
  source: 'monitor',
});
const evidence = (kind: 'pulseRate' | 'heartRate' | 'spo2') => ({
  ruleVersion: 1,
  limits: null,
  samples: [sample(kind)],
});

describe('the number on the chip of an alert', () => {
  it('is the newest value of its parameter, with its age', () => {
    expect(alertReading(inventedAlert(1), patient.latest, patient, context)).toMatchObject({
      number: '78',
      note: '2 s',
      state: 'live',
    });
  });

  it('is the one of the moment of its sentence, although the list of patients knows a newer one', () => {
    const newer = inventedPatient(1, { latest: { spo2: inventedValue({ value: 81 }) } });
    expect(alertReading(inventedAlert(1), patient.latest, newer, context).number).toBe('78');
  });

  it('is never that of another patient', () => {
    expect(alertReading(inventedAlert(1, { patientId: 2 }), patient.latest, patient, context).number).toBeNull();
    expect(alertReading(inventedAlert(1), patient.latest, undefined, context).number).toBeNull();
  });

  it('is never that of another parameter', () => {
    expect(
      alertReading(inventedAlert(1, { parameter: 'temperature' }), patient.latest, patient, context),
    ).toMatchObject({
      number: '--',
      note: 'no value yet',
    });
    expect(alertReading(inventedAlert(1, { parameter: 'symptoms' }), patient.latest, patient, context)).toMatchObject({
      number: null,
      label: 'Symptoms',
    });
  });

  it('is a word for every alert that is about no number', () => {
    const numbers: readonly Parameter[] = ['spo2', 'rate', 'spo2Quality', 'rateQuality', 'perfusion'];
    const others = parameters.filter((parameter) => !numbers.includes(parameter));
    for (const parameter of others) {
      expect(alertReading(inventedAlert(1, { parameter }), {}, undefined, context).label).not.toBe('');
    }
  });

  it('is the rate that raised the alert, not the one of the other device', () => {
    const alert = inventedAlert(1, { parameter: 'rate', evidence: evidence('pulseRate') });
    expect(alertReading(alert, patient.latest, patient, context)).toMatchObject({
      number: '30',
      label: { kind: 'pulseRate' },
    });
  });

  it('is withdrawn when the value is, with the last one and its time', () => {
    const old = inventedPatient(1, { latest: { spo2: inventedValue({ value: 77, asOf: secondsAgo(1_200) }) } });
    expect(alertReading(inventedAlert(1), old.latest, old, context)).toMatchObject({
      number: '--',
      note: 'last 77, 14:40',
    });
    expect(alertReading(inventedAlert(1, { parameter: 'sensor' }), old.latest, old, context)).toMatchObject({
      number: '--',
    });
  });

  it('is no value of a second device on an alert about a sensor', () => {
    expect(alertReading(inventedAlert(1, { parameter: 'sensor' }), patient.latest, patient, context).number).toBeNull();
  });

  it('is the least that the score can be', () => {
    const low = inventedPatient(1, { latest: { spo2: inventedValue({ value: 78 }) } });
    expect(alertReading(inventedAlert(1, { parameter: 'news2' }), low.latest, low, context)).toMatchObject({
      number: '3',
      note: 'at least',
    });
  });

  it('is the score of the last response while the server does not answer, with that time', () => {
    const low = inventedPatient(1, { latest: { spo2: inventedValue({ value: 78 }) } });
    const lost = { ...context, now: wardNow + 600_000, serverLost: wardNow };
    expect(alertReading(inventedAlert(1, { parameter: 'news2' }), low.latest, low, lost)).toMatchObject({
      number: '3',
      note: 'at least, 15:00',
    });
  });
});
