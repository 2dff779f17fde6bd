import { codeRow, type Code } from './codes';
import type { Observation } from './readOru';
import { readValue } from './readValue';

const mdc = (id: string): Code => ({ id, text: '', system: 'MDC' });
const unit = (id: string): Code => ({ id, text: '', system: '' });
const observation = (changed: Partial<Observation>): Observation => ({
  setId: '1',
  code: mdc('150456'),
  subId: '',
  valueType: 'NM',
  value: 97,
  unit: unit('%'),
  status: 'F',
  flags: [],
  takenAt: { text: null, at: null, field: null },
  deviceId: null,
  line: 5,
  ...{ reportedAt: null, orderLine: null },
  ...changed,
});
const heartRate = { code: mdc('147842'), unit: unit('/min') };
const value = (kind: string, number: number, quality = 'good', isCorrection = false) => ({
  outcome: 'value',
  kind,
  value: number,
  quality,
  isCorrection,
});

describe('readValue', () => {
  it.each(['', 'I', 'O', 'U', 'FPID', 'f', '__proto__'])('refuses a value with the status %j', (status) => {
    expect(readValue(observation({ status }))).toEqual({ outcome: 'refused', kind: 'spo2', reason: 'status' });
  });

  it.each([
    ['a test', 'spo2', { flags: ['L', 'TEST'] }, 'training'],
    ['a demonstration', 'spo2', { flags: ['DEMO'] }, 'training'],
    ['no unit', 'spo2', { unit: unit('') }, 'unit'],
    ['the unit of another kind', 'spo2', { unit: unit('mmHg') }, 'unit'],
    ['more than a patient can have', 'spo2', { value: 101 }, 'impossible_value'],
    ['less than a patient can have', 'spo2', { value: -1 }, 'impossible_value'],
    ['a fraction above 1', 'spo2', { value: 97, unit: { id: '1', text: '', system: 'UCUM' } }, 'impossible_value'],
    ['384.5 kPa', 'systolic', { code: mdc('150301'), value: 384.5, unit: unit('kPa') }, 'impossible_value'],
  ])('refuses %s', (_name, kind, changed, reason) => {
    expect(readValue(observation(changed))).toEqual({
      outcome: 'refused',
      kind,
      reason,
    });
  });

  it.each(['TEST', 'DEMO'])('takes a value that is marked %s from a sender on trial', (flag) => {
    expect(readValue(observation({ flags: [flag] }), { isTrainingTaken: true })).toEqual(value('spo2', 97));
  });

  it.each([
    ['nothing', { value: null }],
    ['-100', { value: -100 }],
    ['32767', { value: 32_767 }],
    ['a question mark', { value: '?' }],
    ['a waveform', { valueType: 'NA', value: '97^98^97' }],
    ['a text of digits', { valueType: 'ST', value: '97' }],
    ['X without a value', { status: 'X', value: null, unit: unit('') }],
    ['X with a value', { status: 'X' }],
    ['N', { status: 'N' }],
    ['not available', { flags: ['NAV'] }],
    ['a saturation of 0', { value: 0 }],
    ['a percentage that is a fraction', { value: 0.97 }],
  ])('takes %s for no signal', (_name, changed) => {
    expect(readValue(observation(changed))).toEqual({ outcome: 'noSignal', kind: 'spo2' });
  });

  it('takes 384.5 degrees for no signal, and a pulse of 0', () => {
    const probe = observation({ code: mdc('150364'), value: 384.5, unit: unit('Cel') });
    expect(readValue(probe)).toEqual({ outcome: 'noSignal', kind: 'temperature' });
    const pulse = observation({ code: mdc('149530'), value: 0, unit: unit('bpm') });
    expect(readValue(pulse)).toEqual({ outcome: 'noSignal', kind: 'pulseRate' });
  });

  it('keeps an ECG heart rate of 0, unless an administrator said that this sender means no signal', () => {
    const asystole = observation({ ...heartRate, value: 0 });
    expect(readValue(asystole)).toEqual(value('heartRate', 0));
    expect(readValue(asystole, { isZeroHeartRateNoSignal: true })).toEqual({ outcome: 'noSignal', kind: 'heartRate' });
    const slow = observation({ ...heartRate, value: 8 });
    expect(readValue(slow, { isZeroHeartRateNoSignal: true })).toEqual(value('heartRate', 8));
  });

  it.each(['D', 'W'])('withdraws with the status %s, with and without a value', (status) => {
    const expected = { outcome: 'withdraw', kind: 'spo2' };
    expect(readValue(observation({ status }))).toEqual(expected);
    expect(readValue(observation({ status, value: null }))).toEqual(expected);
  });

  it.each(['F', 'R', 'P', 'S'])('takes a value with the status %s', (status) => {
    expect(readValue(observation({ status }))).toEqual(value('spo2', 97));
  });

  it('says that a C replaces', () => {
    expect(readValue(observation({ status: 'C' }))).toEqual(value('spo2', 97, 'good', true));
  });

  it.each([
    [[], 'good'],
    [['L', 'SP'], 'good'],
    [['QUES'], 'questionable'],
    [['INV'], 'invalid'],
    [['QUES', 'INV'], 'invalid'],
    [['CAL'], 'invalid'],
  ])('with OBX-8 %j the value is %s', (flags, quality) => {
    expect(readValue(observation({ flags }))).toEqual(value('spo2', 97, quality));
  });

  it.each([
    ['150364', 98.6, '[degF]', 37],
    ['150364', 310.15, 'K', 37],
    ['150364', 37.2, '°C', 37.2],
    ['150301', 16, 'kPa', 120.0102],
    ['188736', 154, 'lb', 69.8532],
    ['188736', 3_400, 'g', 3.4],
  ])('converts %s %d %s to %d', (id, number, name, expected) => {
    const { outcome, ...rest } = readValue(observation({ code: mdc(id), value: number, unit: unit(name) }));
    expect([outcome, 'value' in rest ? rest.value : null]).toEqual(['value', expected]);
  });

  it('takes a fraction for a percentage where UCUM says so', () => {
    const fraction = observation({ value: 0.97, unit: { id: '1', text: '', system: 'UCUM' } });
    expect(readValue(fraction)).toEqual(value('spo2', 97));
  });

  it('says which code it does not know, and nothing of a row that only contains others', () => {
    const code = { id: '0402-f8f5', text: 'sMode', system: 'MDIL' };
    expect(readValue(observation({ code }))).toEqual({ outcome: 'unmapped', code });
    expect(readValue(observation({ code: mdc('69965'), status: 'X', value: null }))).toEqual({
      outcome: 'containment',
    });
  });

  it('uses the mappings that it is given', () => {
    const local = { id: 'SPO2', text: '', system: 'L' };
    const lookUp = (code: Code) => (code.id === 'SPO2' ? { kind: 'spo2' as const, isUnitless: true } : codeRow(code));
    expect(readValue(observation({ code: local, unit: unit('') }), { lookUp })).toEqual(value('spo2', 97));
    expect(readValue(observation({}), { lookUp })).toEqual(value('spo2', 97));
  });
});
