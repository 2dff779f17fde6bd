import { readMinutes } from './readMinutes';

const header = 'minute,HR,ABPSys,ABPDias,ABPMean,PULSE,RESP,SpO2,NBPSys,NBPDias,NBPMean';

describe('readMinutes', () => {
  it('plays a 0 as "no signal" under every name, never as a value', () => {
    const { samples } = readMinutes(`${header}\n0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,,,`);
    expect(samples.map(({ kind, value, quality }) => [kind, value, quality])).toEqual([
      ['heartRate', 0, 'invalid'],
      ['systolic', 0, 'invalid'],
      ['diastolic', 0, 'invalid'],
      ['pulseRate', 0, 'invalid'],
      ['respiratoryRate', 0, 'invalid'],
      ['spo2', 0, 'invalid'],
    ]);
  });

  it('takes the cuff where it measured as often as the artery line and counts what the line says', () => {
    const { samples, skipped, expectedEveryMs } = readMinutes(
      `${header}\n3,62.8,120.0,70.0,90.0,61.0,12.7,97.5,118.0,66.0,80.0\n4,63,,,,,,,,,`,
    );
    expect(samples.filter(({ kind }) => kind === 'systolic' || kind === 'diastolic').map(({ value }) => value)).toEqual(
      [118, 66],
    );
    expect(samples.at(-1)).toEqual({ kind: 'heartRate', value: 63, atMs: 60_000, quality: 'good' });
    expect(skipped).toEqual({ 'other pressure source': 2, 'mean pressure': 2, 'no value (empty or NaN)': 5 });
    expect(expectedEveryMs).toBe(60_000);
  });

  it('takes the artery line where it is asked for or where it measured more often, zeros not counted', () => {
    const both = `${header}\n0,60,120,70,90,60,12,97,118,66,80`;
    const line = `${header}\n0,60,120,70,90,60,12,97,,,`;
    const mostlyLine = `${header}\n0,60,120,70,90,60,12,97,,,\n1,60,120,70,90,60,12,97,118,66,80`;
    const empty = 'minute,HR,ABPSys,ABPDias\n0,60,120,70';
    for (const samples of [
      readMinutes(both, 'invasive').samples,
      readMinutes(line).samples,
      readMinutes(mostlyLine).samples,
      readMinutes(empty).samples,
    ]) {
      expect(new Set(samples.filter(({ kind }) => kind === 'systolic').map(({ value }) => value))).toEqual(
        new Set([120]),
      );
    }
  });

  it('takes the cuff where the artery line is silent most of the time', () => {
    const { samples } = readMinutes(`${header}\n0,60,0,0,0,60,12,97,,,\n1,60,0,0,0,60,12,97,118,66,80`);
    expect(samples.filter(({ kind }) => kind === 'systolic').map(({ value }) => value)).toEqual([118]);
  });

  it('plays a heart rate below 20 as a value', () => {
    expect(readMinutes('minute,HR\n0,11.5').samples).toEqual([
      { kind: 'heartRate', value: 11.5, atMs: 0, quality: 'good' },
    ]);
  });

  it('counts a column that it does not know', () => {
    expect(readMinutes('minute,HR,ST II\n0,60,0.4').skipped).toEqual({ 'no kind for it': 1 });
  });
});
