import { UcumLhcUtils } from '@lhncbc/ucum-lhc';
import { vitalKinds, type VitalKind } from '../vitals/kinds';
import { codeRow, unitOf, unitsOf } from './codes';

const kindOf = (id: string, text = '', system = 'MDC'): VitalKind | null => codeRow({ id, text, system })?.kind ?? null;

describe('codeRow', () => {
  it.each([
    ['150456', 'MDC_PULS_OXIM_SAT_O2', 'MDC', 'spo2'],
    ['147842', 'MDC_ECG_HEART_RATE', 'MDC', 'heartRate'],
    ['149530', '', 'MDC', 'pulseRate'],
    ['151562', '', 'MDC', 'respiratoryRate'],
    ['150364', '', 'MDC', 'temperature'],
    ['150301', 'MDC_PRESS_CUFF_SYS', 'MDC', 'systolic'],
    ['150302', 'MDC_PRESS_CUFF_DIA', 'MDC', 'diastolic'],
    ['188736', '', 'MDC', 'weight'],
    ['0002-4bb8', 'SpO2', 'MDIL', 'spo2'],
    ['0002-f09c', 'SpO2T', 'MDIL', 'spo2'],
    ['0002-4182', 'HR', 'MDIL', 'heartRate'],
    ['0002-4822', 'Pulse (SpO2)', 'MDIL', 'pulseRate'],
    ['0002-500a', 'RR', 'MDIL', 'respiratoryRate'],
    ['0002-4bb0', 'Perf', 'MDIL', 'perfusionIndex'],
    ['0002-4a05', 'NBPs', 'MDIL', 'systolic'],
    ['0002-4a06', 'NBPd', 'MDIL', 'diastolic'],
    ['327680', 'SPO2_SPO2', 'EHC', 'spo2'],
    // A site may rename a label.
    ['150456', 'Sättigung', 'MDC', 'spo2'],
  ])('takes %s^%s^%s for %s', (id, text, system, kind) => {
    expect(kindOf(id, text, system)).toBe(kind);
  });

  it.each([
    ['a name of another row', '150302', 'MDC_PRESS_CUFF_SYS', 'MDC'],
    ['a damaged number with its true name', '0002-4bb0', 'SpO2', 'MDIL'],
    ['a name alone', '', 'MDC_PULS_OXIM_SAT_O2', 'MDC'],
    ['a name that looks right', 'SPO2', 'SPO2', 'L'],
    ['a number of another system', '150456', '', 'L'],
    ['a number without a system', '150456', '', ''],
    ['the mean pressure', '0002-4a07', 'NBPm', 'MDIL'],
    ['an invasive pressure', '150037', 'MDC_PRESS_BLD_ART_ABP_SYS', 'MDC'],
    ['the rate beside a QT', '0002-f154', 'QT-HR', 'MDIL'],
    ['a name that objects have', '__proto__', 'constructor', 'MDC'],
  ])('takes %s for nothing', (_name, id, text, system) => {
    expect(kindOf(id, text, system)).toBeNull();
  });
});

describe('unitOf', () => {
  const factorOf = (kind: VitalKind, id: string, text = '', system = '', isUnitless = false) =>
    unitOf({ kind, isUnitless }, { id, text, system });

  it.each([
    ['spo2', '', '', ''],
    ['spo2', '1', '', ''],
    ['spo2', '262656', 'MDC_DIM_DIMLESS', 'MDC'],
    ['heartRate', '%', '', ''],
    ['heartRate', '262688', 'MDC_DIM_PERCENT', 'MDC'],
    ['temperature', 'mmHg', '', ''],
    ['temperature', 'CEL', '', ''],
    ['temperature', '268192', '°F', 'MDC'],
    ['systolic', '0004-0f20', 'kPa', 'MDIL'],
    ['perfusionIndex', '0004-0200', '', 'MDIL'],
    ['consciousness', '', '', ''],
    ['spo2', '__proto__', '', ''],
  ] as const)('refuses for %s the unit %s^%s^%s', (kind, id, text, system) => {
    expect(factorOf(kind, id, text, system)).toBeNull();
  });

  it.each([
    ['spo2', '262688', 'MDC_DIM_PERCENT', 'MDC'],
    ['spo2', '0004-0220', '%', 'MDIL'],
    ['heartRate', '264864', 'MDC_DIM_BEAT_PER_MIN', 'MDC'],
    ['heartRate', '0004-0aa0', 'bpm', 'MDIL'],
    ['respiratoryRate', '0004-0ae0', 'rpm', 'MDIL'],
    ['systolic', '0004-0f20', 'mmHg', 'MDIL'],
    ['temperature', '0004-17a0', '°C', 'MDIL'],
    ['spo2', '%', '', ''],
    ['heartRate', '', 'bpm', ''],
  ] as const)('takes for %s the unit %s^%s^%s as it is', (kind, id, text, system) => {
    expect(factorOf(kind, id, text, system)).toMatchObject({ factor: 1, offset: 0 });
  });

  it.each([
    ['', '', ''],
    ['0004-0200', '', 'MDIL'],
    ['262656', '', 'MDC'],
  ])('takes no unit (%s^%s^%s) only if the row of the code says so', (id, text, system) => {
    expect(factorOf('perfusionIndex', id, text, system, true)).toMatchObject({ factor: 1, offset: 0 });
    expect(factorOf('perfusionIndex', id, text, system)).toBeNull();
  });

  describe('the factors are those of UCUM', () => {
    const ucum = UcumLhcUtils.getInstance();
    const own: Partial<Record<VitalKind, string>> = {
      spo2: '%',
      heartRate: '/min',
      pulseRate: '/min',
      respiratoryRate: '/min',
      temperature: 'Cel',
      systolic: 'mm[Hg]',
      diastolic: 'mm[Hg]',
      perfusionIndex: '%',
      oxygenFlow: 'L/min',
      weight: 'kg',
    };
    /** What monitors write that is no code of UCUM, or another unit there: C is a coulomb, F a farad. */
    const texts = ['mmHg', 'mm Hg', 'bpm', 'BPM', 'beats/min', 'rpm', 'breaths/min', 'br/min', 'degC', '°C', 'C'];
    const otherTexts = ['degF', '°F', 'F', 'lb'];
    const codes = vitalKinds.flatMap((kind) =>
      unitsOf[kind].flatMap(({ names, ucumOnly = [], factor, offset }) =>
        [...names, ...ucumOnly]
          .filter((name) => ![...texts, ...otherTexts].includes(name))
          .map((name) => ({ kind, name, factor, offset })),
      ),
    );

    it.each(codes)('$name for $kind', ({ kind, name, factor, offset }) => {
      for (const value of [0.5, 36.6, 100]) {
        const result = ucum.convertUnitTo(name, value, own[kind] ?? '');
        expect(result.status).toBe('succeeded');
        expect(value * factor + offset).toBeCloseTo(result.toVal ?? Number.NaN, 6);
      }
    });

    it('of each kind with a unit at least one', () => {
      expect(vitalKinds.filter((kind) => !codes.some((code) => code.kind === kind))).toEqual(['consciousness']);
    });
  });
});
