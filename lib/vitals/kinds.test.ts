import { consciousnessLevels, isVitalKind, kindOfCode, kinds, vitalKinds } from './kinds';

describe('the table of kinds', () => {
  it.each(['', 'SpO2', 'spo2 ', 'constructor', '__proto__', 'toString'])('does not know %j', (text) => {
    expect(isVitalKind(text)).toBe(false);
  });

  it('refuses a code that no kind has', () => {
    expect(() => kindOfCode(0)).toThrow('No vital kind has the code 0');
    expect(() => kindOfCode(12)).toThrow('No vital kind has the code 12');
  });

  it('keeps the codes that rows on disk already carry', () => {
    expect(vitalKinds.map((kind) => [kind, kinds[kind].code])).toEqual([
      ['spo2', 1],
      ['heartRate', 2],
      ['pulseRate', 3],
      ['respiratoryRate', 4],
      ['temperature', 5],
      ['systolic', 6],
      ['diastolic', 7],
      ['perfusionIndex', 8],
      ['oxygenFlow', 9],
      ['consciousness', 10],
      ['weight', 11],
    ]);
  });

  it.each(vitalKinds)('finds %s by its name and by its code', (kind) => {
    expect(isVitalKind(kind)).toBe(true);
    expect(kindOfCode(kinds[kind].code)).toBe(kind);
  });

  it.each(vitalKinds)('gives %s a range, an interval and a signal limit that can be met', (kind) => {
    const { plausible, expectedEveryMs, signalFrom } = kinds[kind];
    expect(plausible.min).toBeLessThan(plausible.max);
    expect(expectedEveryMs).toBeGreaterThan(0);
    expect(signalFrom ?? plausible.min).toBeGreaterThanOrEqual(plausible.min);
    expect(signalFrom ?? plausible.min).toBeLessThan(plausible.max);
  });

  it('gives no two kinds the same LOINC code, MDC code or label', () => {
    const facts = vitalKinds.map((kind) => kinds[kind]);
    const mdc = facts.flatMap((kind) => (kind.mdc === null ? [] : [kind.mdc]));
    expect(new Set(facts.map((kind) => kind.loinc)).size).toBe(facts.length);
    expect(new Set(mdc).size).toBe(mdc.length);
    expect(new Set(facts.map((kind) => kind.label)).size).toBe(facts.length);
  });

  it('takes an SpO2 of 0 and a pulse below 20 as no signal, and every ECG heart rate as a value', () => {
    expect(kinds.spo2.signalFrom).toBe(1);
    expect(kinds.pulseRate.signalFrom).toBe(20);
    expect(kinds.heartRate.signalFrom).toBeNull();
  });

  it('takes as continuous what a monitor measures by itself, second by second', () => {
    const continuous = vitalKinds.filter((kind) => kinds[kind].continuous);
    expect(continuous).toEqual(['spo2', 'heartRate', 'pulseRate', 'respiratoryRate', 'perfusionIndex']);
  });

  it('has a letter for every plausible level of consciousness', () => {
    expect(consciousnessLevels).toHaveLength(kinds.consciousness.plausible.max - kinds.consciousness.plausible.min + 1);
  });
});
