import { readBidmc } from './readBidmc';
import { UnreadableRecording } from './recording';

const header = 'Time [s], HR, PULSE, RESP, SpO2';

describe('readBidmc', () => {
  it('refuses a table without the time column and one with a row that is too long', () => {
    expect(() => readBidmc('HR, PULSE\n80,81')).toThrow(new UnreadableRecording('has no column "Time [s]"'));
    expect(() => readBidmc(`${header}\n0,80,81,12,98,7`)).toThrow(UnreadableRecording);
  });

  it('reads the four columns, whose names stand behind a blank, one row a second', () => {
    expect(readBidmc(`${header}\n-0,80,81,12,98\n1,82,83,13,97\n`)).toEqual({
      expectedEveryMs: 1_000,
      skipped: {},
      samples: [
        { kind: 'heartRate', value: 80, atMs: 0, quality: 'good' },
        { kind: 'pulseRate', value: 81, atMs: 0, quality: 'good' },
        { kind: 'respiratoryRate', value: 12, atMs: 0, quality: 'good' },
        { kind: 'spo2', value: 98, atMs: 0, quality: 'good' },
        { kind: 'heartRate', value: 82, atMs: 1_000, quality: 'good' },
        { kind: 'pulseRate', value: 83, atMs: 1_000, quality: 'good' },
        { kind: 'respiratoryRate', value: 13, atMs: 1_000, quality: 'good' },
        { kind: 'spo2', value: 97, atMs: 1_000, quality: 'good' },
      ],
    });
  });

  it.each([
    ['NaN', 'no value (empty or NaN)'],
    ['', 'no value (empty or NaN)'],
    [' ', 'no value (empty or NaN)'],
    ['-', 'not a number'],
    ['0x50', 'not a number'],
    ['Infinity', 'not a number'],
    ['1e999', 'not a number'],
  ])('makes no sample of "%s" and counts it', (text, reason) => {
    const { samples, skipped } = readBidmc(`${header}\n0,80,81,12,${text}`);
    expect(samples.map(({ kind }) => kind)).toEqual(['heartRate', 'pulseRate', 'respiratoryRate']);
    expect(skipped).toEqual({ [reason]: 1 });
  });

  it('keeps the time of a row that holds no value, so that the gap stays as long as it was', () => {
    expect(readBidmc(`${header}\n0,NaN,NaN,NaN,NaN\n5,80,NaN,NaN,NaN`).samples).toEqual([
      { kind: 'heartRate', value: 80, atMs: 5_000, quality: 'good' },
    ]);
  });

  it('counts a row without a readable time', () => {
    expect(readBidmc(`${header}\nlater,80,81,12,98`)).toMatchObject({ samples: [], skipped: { 'unreadable time': 1 } });
  });

  it.each([
    ['heartRate', '0', 'good'],
    ['heartRate', '19', 'good'],
    ['pulseRate', '0', 'invalid'],
    ['pulseRate', '19', 'invalid'],
    ['pulseRate', '20', 'good'],
    ['respiratoryRate', '0', 'good'],
    ['spo2', '0', 'invalid'],
    ['spo2', '1', 'good'],
  ])('plays %s %s with quality %s', (kind, value, quality) => {
    const { samples } = readBidmc(`${header}\n0,${value},${value},${value},${value}`);
    expect(samples.find((sample) => sample.kind === kind)).toMatchObject({ value: Number(value), quality });
  });

  it('leaves values that no patient has to the quarantine of the server', () => {
    expect(readBidmc(`${header}\n0,-5,500,12,250`).samples.map(({ value }) => value)).toEqual([-5, 500, 12, 250]);
  });
});
