import { detectFormat, readRecording } from './readRecording';
import { UnreadableRecording } from './recording';

describe('detectFormat', () => {
  it.each([
    ['', null],
    ['record,mimic2_subject,rows', null],
    ['itemid,label,unitname,src', null],
    ['HR|O2Sat|Temp', null],
    ['Time [s], HR, PULSE, RESP, SpO2\n0,80,80,12,98', 'bidmc'],
    ['\uFEFFTime [s],HR', 'bidmc'],
    ['minute,HR,SpO2\r\n0,60,97', 'minutes'],
    ['HR|O2Sat|Temp|ICULOS|SepsisLabel\n', 'challenge2019'],
    ['charttime,storetime,itemid,label,value,valuenum,valueuom,error', 'chartevents'],
  ])('reads the header %j as %s', (text, format) => {
    expect(detectFormat(text)).toBe(format);
  });
});

describe('readRecording', () => {
  it('refuses a file of no known format', () => {
    expect(() => readRecording('name,score\n', {})).toThrow(UnreadableRecording);
  });

  it('takes the format that is named, and refuses a file that does not fit it', () => {
    expect(readRecording('ICULOS|HR\n1|80', { format: 'challenge2019' }).samples).toHaveLength(1);
    expect(() => readRecording('minute,HR\n0,60', { format: 'bidmc' })).toThrow('has no column "Time [s]"');
  });

  it('reads past a byte order mark and Windows line ends', () => {
    expect(readRecording('\uFEFFminute,HR\r\n0,60\r\n', {}).samples).toEqual([
      { kind: 'heartRate', value: 60, atMs: 0, quality: 'good' },
    ]);
  });
});
