import { readChallenge2019 } from './readChallenge2019';

const header = 'HR|O2Sat|Temp|SBP|MAP|DBP|Resp|FiO2|Lactate|Age|Gender|ICULOS|SepsisLabel';

describe('readChallenge2019', () => {
  it('makes no sample of NaN and counts it', () => {
    expect(readChallenge2019(`${header}\nNaN|NaN|NaN|NaN|NaN|NaN|NaN|NaN|NaN|40|0|1|0`)).toEqual({
      samples: [],
      expectedEveryMs: 3_600_000,
      skipped: { 'no value (empty or NaN)': 6 },
    });
  });

  it('never turns a fraction of oxygen into a flow, nor a laboratory value into a vital sign', () => {
    const { samples, skipped } = readChallenge2019(`${header}\n92.5|100|36.5|136|93|65|15|0.4|1.2|40|0|1|0`);
    expect(samples.map(({ kind, value }) => [kind, value])).toEqual([
      ['heartRate', 92.5],
      ['spo2', 100],
      ['temperature', 36.5],
      ['systolic', 136],
      ['diastolic', 65],
      ['respiratoryRate', 15],
    ]);
    expect(skipped).toEqual({ 'mean pressure': 1, 'oxygen fraction, not a flow': 1, 'no kind for it': 1 });
  });

  it('counts time from the first hour that the file holds and keeps missing hours missing', () => {
    const { samples } = readChallenge2019('HR|ICULOS\n80|15\n81|16\n82|19');
    expect(samples.map(({ atMs }) => atMs)).toEqual([0, 3_600_000, 14_400_000]);
  });
});
