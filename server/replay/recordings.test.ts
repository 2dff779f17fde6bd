import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import type { VitalKind } from '../../lib/vitals/kinds';
import { fuzzRuns } from '../../test/fuzzRuns';
import { celsiusOf, chartItems } from './chartItems';
import { describeRecording } from './describeRecording';
import { readRecording } from './readRecording';
import { readChartEvents } from './readChartEvents';
import { decodeText, readTable } from './readTable';
import { readTimes } from './readTimes';
import { readWfdb } from './readWfdb';
import { type Recording, type Row, UnreadableRecording } from './recording';

describe('describeRecording', () => {
  it('says that a recording holds nothing', () => {
    expect(
      describeRecording('a.csv', 'A-1', { format: 'wfdb', samples: [], expectedEveryMs: 1_000, skipped: {} }),
    ).toEqual(['a.csv -> MRN A-1: wfdb, 0 samples in 0s, one every 1s']);
  });

  it('says what columns were taken for', () => {
    const [, second] = describeRecording('a.csv', 'A-1', {
      format: 'columns',
      samples: [],
      expectedEveryMs: 1_000,
      skipped: {},
      columns: 'T = time',
    });
    expect(second).toBe('  columns: T = time');
  });

  it('tells each kind with its range, what is no signal, what comes late and what is not played', () => {
    const lines = describeRecording('stay.csv', 'A-1', {
      format: 'chartevents',
      expectedEveryMs: 3_600_000,
      skipped: { pain: 4 },
      samples: [
        { kind: 'spo2', value: 97, atMs: 0, enteredAtMs: 60_000, quality: 'good' },
        { kind: 'spo2', value: 88, atMs: 3_600_000, quality: 'good' },
        { kind: 'spo2', value: 0, atMs: 7_200_000, quality: 'invalid' },
        { kind: 'heartRate', value: 0, atMs: 0, quality: 'good' },
        { kind: 'consciousness', value: 'A', atMs: 7_260_000, quality: 'good' },
      ],
    });
    expect(lines).toEqual([
      'stay.csv -> MRN A-1: chartevents, 5 samples in 2h, one every 1h',
      '  spo2: 3, 88 to 97, no signal 1',
      '  heartRate: 1, 0 to 0',
      '  consciousness: 1',
      '  late entries: 1',
      '  not played, pain: 4',
    ]);
  });
});

const readText = (text: string, choice: Partial<Parameters<typeof readRecording>[1]> = {}) =>
  readRecording(text, { readBeside: () => new Uint8Array(4), ...choice });
const read = readText;

describe('BIDMC', () => {
  const header = 'Time [s], HR, PULSE, RESP, SpO2';

  it('refuses a table without the time column and one with a row that is too long', () => {
    expect(() => read('HR, PULSE\n80,81')).toThrow('has a header of no known format');
    expect(() => read(`${header}\n0,80,81,12,98,7`)).toThrow(UnreadableRecording);
  });

  it('reads the four columns, whose names stand behind a blank, one row a second', () => {
    expect(read(`${header}\n-0,80,81,12,98\n1,82,83,13,97\n`)).toMatchObject({
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
    ['-', 'no value (empty or NaN)'],
    ['0x50', 'not a number'],
    ['Infinity', 'not a number'],
    ['1e999', 'not a number'],
  ])('makes no sample of "%s" and counts it', (text, reason) => {
    const { samples, skipped } = read(`${header}\n0,80,81,12,${text}`);
    expect(samples.map(({ kind }) => kind)).toEqual(['heartRate', 'pulseRate', 'respiratoryRate']);
    expect(skipped).toEqual({ [reason]: 1 });
  });

  it('keeps the time of a row that holds no value, so that the gap stays as long as it was', () => {
    expect(read(`${header}\n0,NaN,NaN,NaN,NaN\n5,80,NaN,NaN,NaN`).samples).toEqual([
      { kind: 'heartRate', value: 80, atMs: 5_000, quality: 'good' },
    ]);
  });

  it('counts a row without a readable time', () => {
    expect(read(`${header}\nlater,80,81,12,98`)).toMatchObject({ samples: [], skipped: { 'unreadable time': 1 } });
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
    const { samples } = read(`${header}\n0,${value},${value},${value},${value}`);
    expect(samples.find((sample) => sample.kind === kind)).toMatchObject({ value: Number(value), quality });
  });

  it('leaves values that no patient has to the quarantine of the server', () => {
    expect(read(`${header}\n0,-5,500,12,250`).samples.map(({ value }) => value)).toEqual([-5, 500, 12, 250]);
  });
});

describe('Challenge 2019', () => {
  const header = 'HR|O2Sat|Temp|SBP|MAP|DBP|Resp|FiO2|Lactate|Age|Gender|ICULOS|SepsisLabel';

  it('makes no sample of NaN and counts it', () => {
    expect(read(`${header}\nNaN|NaN|NaN|NaN|NaN|NaN|NaN|NaN|NaN|40|0|1|0`)).toMatchObject({
      samples: [],
      expectedEveryMs: 3_600_000,
      skipped: { 'no value (empty or NaN)': 6 },
    });
  });

  it('never turns a fraction of oxygen into a flow, nor a laboratory value into a vital sign', () => {
    const { samples, skipped } = read(`${header}\n92.5|100|36.5|136|93|65|15|0.4|1.2|40|0|1|0`);
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
    const { samples } = read('HR|ICULOS\n80|15\n81|16\n82|19');
    expect(samples.map(({ atMs }) => atMs)).toEqual([0, 3_600_000, 14_400_000]);
  });
});

describe('readChartEvents', () => {
  const header = 'charttime,storetime,itemid,label,value,valuenum,valueuom,error';
  const minute = 60_000;

  function row(changes: Partial<Record<string, string>>): string {
    const cells: Record<string, string> = {
      charttime: '2130-05-01 10:00:00',
      storetime: '2130-05-01 10:00:00',
      itemid: '220045',
      label: 'Heart Rate',
      value: '80',
      valuenum: '80',
      valueuom: 'bpm',
      error: '0',
    };
    return header
      .split(',')
      .map((name) => changes[name] ?? cells[name])
      .join(',');
  }

  function read(...rows: Partial<Record<string, string>>[]): ReturnType<typeof readChartEvents> {
    return readChartEvents([header, ...rows.map(row)].join('\n'));
  }

  const numeric = (itemid: string, valuenum: string, valueuom: string): Partial<Record<string, string>> => ({
    itemid,
    value: valuenum,
    valuenum,
    valueuom,
  });

  it('never plays a row that is flagged as an error', () => {
    expect(read({ error: '1' })).toMatchObject({ samples: [], skipped: { 'flagged as a charting error': 1 } });
    expect(read({ error: '' }).samples).toHaveLength(1);
  });

  it.each([
    ['alarm limit', numeric('8549', '120', 'BPM')],
    ['alarm limit', numeric('226253', '85', '%')],
    ['pain', { itemid: '223791', value: 'Moderate', valuenum: '5', valueuom: '' }],
    ['glucose', numeric('807', '148', '')],
    ['coma scale', { itemid: '220739', value: 'Spontaneously', valuenum: '4', valueuom: '' }],
    ['mean pressure', numeric('456', '80', 'mmHg')],
    ['oxygen fraction, not a flow', numeric('223835', '50', '')],
    ['oxygen device', { itemid: '467', value: 'Face Tent', valuenum: '', valueuom: '' }],
    ['second device of the same kind', numeric('471', '2', 'lpm')],
    ['calculated from another row', numeric('679', '98.6', 'Deg. F')],
    ['unknown item', numeric('999999', '1', 'bpm')],
    ['no value (empty or NaN)', numeric('646', '', '%')],
    ['not a number', numeric('646', 'ninety', '%')],
    ['unit does not fit', numeric('676', '98.6', 'Deg. F')],
    ['unit does not fit', numeric('470', '0.4', '')],
    ['unreadable time', { charttime: '2130-02-30 10:00:00' }],
    ['unreadable time', { storetime: 'soon' }],
  ])('does not play, but counts: %s', (reason, changes) => {
    expect(read(changes)).toMatchObject({ samples: [], skipped: { [reason]: 1 } });
  });

  it.each([
    ['211', '80', 'BPM', 'heartRate', 80],
    ['220277', '97', '%', 'spo2', 97],
    ['618', '14', 'BPM', 'respiratoryRate', 14],
    ['220210', '14', 'insp/min', 'respiratoryRate', 14],
    ['676', '36.9', 'Deg. C', 'temperature', 36.9],
    ['678', '98.6', 'Deg. F', 'temperature', 37],
    ['223761', '100.4', '?F', 'temperature', 38],
    ['470', '2.5', 'lpm', 'oxygenFlow', 2.5],
    ['223834', '0', 'L/min', 'oxygenFlow', 0],
  ])('plays item %s, %s %s, as %s %s', (itemid, valuenum, unit, kind, value) => {
    expect(read(numeric(itemid, valuenum, unit)).samples).toMatchObject([{ kind, value, quality: 'good' }]);
  });

  it.each([
    [32, 0],
    [97.7, 36.5],
    [98.6, 37],
    [104, 40],
    [92.9, 33.8],
  ])('converts %s degrees Fahrenheit to %s degrees Celsius', (fahrenheit, celsius) => {
    expect(celsiusOf(fahrenheit)).toBe(celsius);
  });

  it.each([
    ['heartRate', numeric('220045', '0', 'bpm'), 'good'],
    ['respiratoryRate', numeric('220210', '0', 'insp/min'), 'good'],
    ['spo2', numeric('646', '0', '%'), 'invalid'],
  ])('plays a charted %s of 0 as the kind means it', (kind, changes, quality) => {
    expect(read(changes).samples).toMatchObject([{ kind, value: 0, quality }]);
  });

  it('shows an entry from its chart time on, or from when it was stored, whichever is later', () => {
    const { samples } = read(
      { storetime: '2130-05-01 10:47:00' },
      { charttime: '2130-05-01 11:00:00', storetime: '2130-05-01 10:42:00' },
      { charttime: '2130-05-01 12:00:00', storetime: '' },
    );
    expect(samples.map(({ atMs, enteredAtMs }) => [atMs, enteredAtMs])).toEqual([
      [0, 47 * minute],
      [60 * minute, 42 * minute],
      [120 * minute, 120 * minute],
    ]);
  });

  it('plays the same value twice where it was charted twice, and two values at one time as they come', () => {
    expect(read({}, {}, { valuenum: '82' }).samples.map(({ value }) => value)).toEqual([80, 80, 82]);
  });

  it.each([
    ['Alert', 'A'],
    ['Arouse to Voice', 'V'],
    ['Arouse to Pain', 'P'],
    ['Unresponsive', 'U'],
  ])('plays "%s" as %s', (value, letter) => {
    const changes = { itemid: '226104', value, valuenum: '', valueuom: '' };
    expect(read(changes).samples).toMatchObject([{ kind: 'consciousness', value: letter, quality: 'good' }]);
  });

  it.each(['Confused', 'Lethargic', 'Sleeping', 'Sedated', 'Arouse to Stimulation', 'Awake/Unresponsive', 'alert?'])(
    'does not guess what "%s" is',
    (value) => {
      const changes = { itemid: '432', value, valuenum: '', valueuom: '' };
      expect(read(changes)).toMatchObject({
        samples: [],
        skipped: { 'consciousness without a single ACVPU letter': 1 },
      });
    },
  );

  it('plays one pressure source: the one that measured more often, or the one asked for', () => {
    const line = [row(numeric('51', '120', 'mmHg')), row(numeric('8368', '60', 'mmHg'))];
    const cuff = [row(numeric('455', '110', 'mmHg')), row(numeric('8441', '50', 'mmHg'))];
    const systolic = (rows: string[], pressure?: 'cuff' | 'invasive') =>
      readChartEvents([header, ...rows].join('\n'), pressure)
        .samples.filter(({ kind }) => kind === 'systolic')
        .map(({ value }) => value);
    expect(systolic([...line, ...cuff])).toEqual([110]);
    expect(systolic([...line, ...cuff], 'invasive')).toEqual([120]);
    expect(systolic(line)).toEqual([120]);
    expect(systolic([...line, ...line, ...cuff])).toEqual([120, 120]);
    expect(systolic([...line, row({ ...numeric('455', '110', 'mmHg'), error: '1' })])).toEqual([120]);
  });
});

describe('numerics of the MIMIC waveform database', () => {
  const header = 'minute,HR,ABPSys,ABPDias,ABPMean,PULSE,RESP,SpO2,NBPSys,NBPDias,NBPMean';

  it('plays a 0 as "no signal" under every name, never as a value', () => {
    const { samples } = read(`${header}\n0,0.0,0.0,0.0,0.0,0.0,0.0,0.0,,,`);
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
    const { samples, skipped, expectedEveryMs } = read(
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
      read(both, { pressure: 'invasive' }).samples,
      read(line).samples,
      read(mostlyLine).samples,
      read(empty).samples,
    ]) {
      expect(new Set(samples.filter(({ kind }) => kind === 'systolic').map(({ value }) => value))).toEqual(
        new Set([120]),
      );
    }
  });

  it('takes the cuff where the artery line is silent most of the time', () => {
    const { samples } = read(`${header}\n0,60,0,0,0,60,12,97,,,\n1,60,0,0,0,60,12,97,118,66,80`);
    expect(samples.filter(({ kind }) => kind === 'systolic').map(({ value }) => value)).toEqual([118]);
  });

  it('plays a heart rate below 20 as a value', () => {
    expect(read('minute,HR\n0,11.5').samples).toEqual([{ kind: 'heartRate', value: 11.5, atMs: 0, quality: 'good' }]);
  });

  it('counts a column that it does not know', () => {
    expect(read('minute,HR,ST II\n0,60,0.4').skipped).toEqual({ 'no kind for it': 1 });
  });
});

describe('readRecording', () => {
  it.each([
    '',
    'record,mimic2_subject,rows',
    'itemid,label,unitname,src',
    'HR|O2Sat|Temp',
    'name,score\n',
    '<html><body>Time,SpO2</body></html>',
  ])('refuses the header %j', (text) => {
    expect(() => read(text)).toThrow('has a header of no known format');
    expect(() => read(text)).toThrow(UnreadableRecording);
  });

  it.each([
    ['Time [s], HR, PULSE, RESP, SpO2\n0,80,80,12,98', 'columns'],
    ['\uFEFFTime [s],HR', 'columns'],
    ['minute,HR,SpO2\r\n0,60,97', 'columns'],
    ['HR|O2Sat|Temp|ICULOS|SepsisLabel\n', 'columns'],
    ['charttime,storetime,itemid,label,value,valuenum,valueuom,error', 'chartevents'],
    ['# of a ward\nnight1 1 1 2\nnight1.dat 16 1/bpm 0 0 0 0 0 HR\n', 'wfdb'],
    ['<?xml version="1.0"?>\n<!DOCTYPE HealthData []>\n<HealthData locale="en_GB">', 'applehealth'],
    ['\uFEFFsep=;\nTime;SpO2\n', 'columns'],
    ["'Elapsed time','HR'\n'seconds','bpm'\n", 'columns'],
  ])('reads the header %j as %s', (text, format) => {
    expect(read(text).format).toBe(format);
  });

  it('reads past a byte order mark and Windows line ends', () => {
    expect(read('\uFEFFminute,HR\r\n0,60\r\n').samples).toEqual([
      { kind: 'heartRate', value: 60, atMs: 0, quality: 'good' },
    ]);
  });
});

describe('readColumns', () => {
  type Played = [kind: string, value: unknown, seconds: number, quality?: string];

  /** Each sample with its seconds, and its quality unless that is good. */
  function played({ samples }: Recording): Played[] {
    return samples.map(({ kind, value, atMs, quality }) =>
      quality === 'good' ? [kind, value, atMs / 1_000] : [kind, value, atMs / 1_000, quality],
    );
  }
  const read = (...lines: string[]) => readText(lines.join('\r\n'));
  const given = (...columns: [string, VitalKind | 'time'][]) => ({ columns: new Map(columns) });

  it.each([
    ['no time', 'SpO2,Pulse'],
    ['nothing that is played', 'Time,Motion,Battery'],
    ['a value that the header does not name', 'timestamp,value'],
    ['the milliseconds between two beats', 'time,RR'],
    ['the temperature of the skin', 'time,BT'],
    ['summaries of a day', 'timestamp,average percentage,lower bound percentage'],
    ['no header', '22:00:01,97,61'],
  ])('refuses a table with %s, with its header and those that are known', (_what, header) => {
    const lines = [
      'has a header of no known format',
      `  found: ${header}`,
      '  known: chartevents: charttime',
      '--column',
    ];
    const [first = '', ...more] = lines;
    const refused = () => read(header, '1,2,3');
    expect(refused).toThrow(first);
    more.forEach((line) => expect(refused).toThrow(line));
  });

  it('shows a header without what a screen would obey', () => {
    expect(() => readText(`\u001b[2J\u202e${'x'.repeat(900)}`)).toThrow(`  found: [2J${'x'.repeat(197)}\n`);
  });

  it('refuses a decimal comma between commas: each value would be under another name', () => {
    expect(() => read('Time,SpO2,Pulse', '22:00:01,97,5,61')).toThrow(UnreadableRecording);
  });

  it('refuses names of columns that are not there', () => {
    const refused = 'has a header of no known format\n  found: ';
    expect(() => readText('start,duration,value\n1,2,3', given(['value 2', 'spo2']))).toThrow(refused);
    expect(() => readText('Time,SpO2\n1,2', given(['when', 'time']))).toThrow(refused);
  });

  it.each<[string, string[], Played[]]>([
    [
      'a CMS50D, whose 127 and 255 are no reading',
      ['Time;SpO2(%);Pulse(bpm)', '3/9/2027 23:59:59;95;71', '3/10/2027 00:00:00;127;255', '3/10/2027 00:00:01;94;255'],
      [
        ['spo2', 95, 0],
        ['pulseRate', 71, 0],
        ['spo2', 127, 1, 'invalid'],
        ['pulseRate', 255, 1, 'invalid'],
        ['spo2', 94, 2],
        ['pulseRate', 255, 2],
      ],
    ],
    [
      'a CMS50D+ by its cable, whose 0 is no reading',
      ['seconds, flags, spO2 (%), pulse (bpm)', '0, 128, 96, 64', '1, 128, 0, 0'],
      [
        ['spo2', 96, 0],
        ['pulseRate', 64, 0],
        ['spo2', 0, 1, 'invalid'],
        ['pulseRate', 0, 1, 'invalid'],
      ],
    ],
    [
      'an EMAY, with the date in a column of its own',
      ['Date,Time,SpO2(%),PR(bpm)', '5/8/2027,11:59:59 PM,96,58', '5/9/2027,12:00:01 AM,,59'],
      [
        ['spo2', 96, 0],
        ['pulseRate', 58, 0],
        ['pulseRate', 59, 2],
      ],
    ],
    [
      'ViHealth',
      [
        'Time,Oxygen Level,Pulse Rate,Motion,O2 Reminder,PR Reminder',
        '21:04:07 May 02 2027,94,61,3,0,0',
        '21:04:11 May 02 2027,--,--,0,0,0',
        '21:04:15 May 02 2027,93%,62 bpm,0,0,0',
      ],
      [
        ['spo2', 94, 0],
        ['pulseRate', 61, 0],
        ['spo2', 93, 8],
        ['pulseRate', 62, 8],
      ],
    ],
    [
      'O2 Insight Pro, whose lines end with a comma',
      [
        'Time,SpO2(%),Pulse Rate(bpm),Motion,SpO2 Reminder,PR Reminder,',
        '"11:59:58PM May 02, 2027",95,65,0,0,0,',
        '"12:00:02AM May 03, 2027",255,65535,0,0,0,',
      ],
      [
        ['spo2', 95, 0],
        ['pulseRate', 65, 0],
        ['spo2', 255, 4, 'invalid'],
        ['pulseRate', 65_535, 4, 'invalid'],
      ],
    ],
    [
      'a Pulox',
      ['DATE,TIME,SPO2,PULSE', '2027-05-02, 23:59:59, 93, 64', '2027-05-03, 00:00:00, 92, 66'],
      [
        ['spo2', 93, 0],
        ['pulseRate', 64, 0],
        ['spo2', 92, 1],
        ['pulseRate', 66, 1],
      ],
    ],
    [
      'Fitbit: pulse, although it is called beats',
      ['timestamp,beats per minute,data source', '2027-05-02T21:00:04Z,63.0,Band', '2027-05-02T21:00:09Z,64,Band'],
      [
        ['pulseRate', 63, 0],
        ['pulseRate', 64, 5],
      ],
    ],
    ['Fitbit: SpO2', ['timestamp,oxygen saturation percentage', '2027-05-02T21:00:04Z,96.4'], [['spo2', 96.4, 0]]],
    [
      'Fitbit: respiratory rate',
      ['timestamp,breaths per minute', '2027-05-02T21:00:04Z,13.8'],
      [['respiratoryRate', 13.8, 0]],
    ],
    [
      'a watch: its heart rate is a pulse, and 0 no asystole',
      ['Date;Heart Rate (bpm)', '2027-05-02 21:00:04 +0200;61', '2027-05-02 19:01:04 +0000;0'],
      [
        ['pulseRate', 61, 0],
        ['pulseRate', 0, 60, 'invalid'],
      ],
    ],
    [
      'a device with electrodes and light',
      ['Time,HR,Pulse', '10:00:00,61,60'],
      [
        ['heartRate', 61, 0],
        ['pulseRate', 60, 0],
      ],
    ],
    [
      'VitalDB',
      [
        'Time,Solar8000/HR,Solar8000/PLETH_HR,Solar8000/PLETH_SPO2,Solar8000/RR,Solar8000/RR_CO2,Solar8000/BT,' +
          'Solar8000/NIBP_SBP,Solar8000/ART_SBP,Solar8000/NIBP_MBP,Primus/ETCO2',
        '0.5,71,70,99,12,13,36.4,118,121,90,35',
        '2.5,,,,,,,,122,,',
      ],
      [
        ['heartRate', 71, 0],
        ['pulseRate', 70, 0],
        ['spo2', 99, 0],
        ['respiratoryRate', 12, 0],
        ['temperature', 36.4, 0],
        ['systolic', 121, 0],
        ['systolic', 122, 2],
      ],
    ],
    [
      'rdsamp of WFDB, with a row of units and "-" for nothing; 0 is no signal',
      [
        "'Elapsed time','HR','SpO2','RESP'",
        "'minutes','bpm','%','pm'",
        '0.00000,71.000,97.000,-',
        '1.00000,0.000,96.000,14.000',
      ],
      [
        ['heartRate', 71, 0],
        ['spo2', 97, 0],
        ['heartRate', 0, 60, 'invalid'],
        ['spo2', 96, 60],
        ['respiratoryRate', 14, 60],
      ],
    ],
    [
      'rdsamp with times of the day',
      [
        "'Time and date','HR'",
        "'hh:mm:ss dd/mm/yyyy','bpm'",
        "'[23:59:59 30/04/2027]',71",
        "'[00:00:01 01/05/2027]',72",
      ],
      [
        ['heartRate', 71, 0],
        ['heartRate', 72, 2],
      ],
    ],
    [
      'lines before the header, and decimal commas between semicolons',
      [
        'Gerät: 4711',
        '',
        'Datum;Uhrzeit;Sauerstoffsättigung (%);Puls',
        '30.04.2027;23:59:30;97,5;61',
        '01.05.2027;00:00:00;98;n/a',
      ],
      [
        ['spo2', 97.5, 0],
        ['pulseRate', 61, 0],
        ['spo2', 98, 30],
      ],
    ],
    [
      'tabs',
      ['Time\tSpO₂ [%]\tResp. Rate', '22:00\t97\t14', '22:01\t96\t15'],
      [
        ['spo2', 97, 0],
        ['respiratoryRate', 14, 0],
        ['spo2', 96, 60],
        ['respiratoryRate', 15, 60],
      ],
    ],
  ])('plays the table of %s', (_what, lines, expected) => {
    const recording = read(...lines);
    expect(recording.format).toBe('columns');
    expect(played(recording)).toEqual(expected);
  });

  it('plays lists of Withings one after another, once it is said what they are', () => {
    const lines = [
      'start,duration,value',
      '2027-05-02T22:00:00+02:00,"[60,30]","[62,64]"',
      '2027-05-02T22:01:30+02:00,[60],[61]',
    ];
    const recording = readText(lines.join('\n'), given(['value', 'pulseRate']));
    expect(played(recording)).toEqual([
      ['pulseRate', 62, 0],
      ['pulseRate', 64, 60],
      ['pulseRate', 61, 90],
    ]);
    expect(recording).toMatchObject({
      skipped: {},
      expectedEveryMs: 60_000,
      columns: 'value = pulseRate, start = time',
    });
  });

  it('takes what the user says of a column before its name, and counts what it does not play', () => {
    const recording = readText(
      'when,Time,HR,Pulse,Motion\n5,1,61,60,3\n15,2,62,61,',
      given(['when', 'time'], ['hr', 'pulseRate']),
    );
    expect(played(recording)).toEqual([
      ['pulseRate', 61, 0],
      ['pulseRate', 62, 10],
    ]);
    expect(recording).toMatchObject({
      columns: 'when = time, HR = pulseRate',
      expectedEveryMs: 10_000,
      skipped: { 'second device of the same kind': 2, 'no kind for it': 1 },
    });
  });

  it('counts a row whose time it cannot read, and what is no number', () => {
    expect(read('Time,SpO2', '22:00:01,97', 'later,96', '22:00:03,low', '22:00:04', '').skipped).toEqual({
      'unreadable time': 1,
      'not a number': 1,
      'no value (empty or NaN)': 1,
    });
  });

  it('reads back what was written, whatever separates it, in whatever letters, with a comma or a point', () => {
    const row = fc.record({ gap: fc.integer({ min: 1, max: 90_000 }), spo2: fc.integer({ min: 10, max: 1_000 }) });
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(',', ';', '\t', '|'),
        fc.constantFrom('.', ','),
        fc.constantFrom('utf8', 'utf16le', 'utf16be'),
        fc.boolean(),
        fc.constantFrom('iso', 'month first', 'day first', 'clock first', 'seconds'),
        (rows, delimiter, decimal, letters, hasMark, layout) => {
          let at = Date.UTC(2027, 3, 30, 21, 0, 0);
          const start = at + (rows[0]?.gap ?? 0) * 1_000;
          const lines = rows.map(({ gap, spo2 }) => {
            at += gap * 1_000;
            const value = String(spo2 / 10).replace('.', decimal);
            return [timeText(at, layout), value].map((text) => `"${text}"`).join(delimiter);
          });
          const text = [`Time${delimiter}SpO2`, ...lines].join('\n');
          const bytes = Buffer.from((hasMark ? '\uFEFF' : '') + text, letters === 'utf8' ? 'utf8' : 'utf16le');
          const file = letters === 'utf16be' ? bytes.swap16() : bytes;
          let written = start - (rows[0]?.gap ?? 0) * 1_000;
          expect(played(readText(decodeText(file)))).toEqual(
            rows.map(({ gap, spo2 }) => {
              written += gap * 1_000;
              return ['spo2', spo2 / 10, (written - start) / 1_000];
            }),
          );
        },
      ),
      fuzzRuns,
    );
  });

  function timeText(at: number, layout: string): string {
    const iso = new Date(at).toISOString();
    const [date = '', clock = ''] = iso.slice(0, 19).split('T');
    const [year = '', month = '', day = ''] = date.split('-');
    switch (layout) {
      case 'month first':
        return `${Number(month)}/${Number(day)}/${year} ${clock}`;
      case 'day first':
        return `${day}.${month}.${year} ${clock}`;
      case 'clock first':
        return `${clock} ${['Apr', 'May'][Number(month) - 4] ?? '?'} ${day} ${year}`;
      case 'seconds':
        return String(at / 1_000);
      default:
        return iso;
    }
  }
});

describe('readTimes', () => {
  it.each<[string, string[], number[]]>([
    ['the shorter of two readings of day and month', ['11/12/2027 23:59:59', '12/12/2027 00:00:01'], [0, 2]],
    ['the reading in which all are dates', ['12/31/2027 10:00', '1/1/2028 10:00'], [0, 86_400]],
    ['times that go on after midnight', ['23:59:59', '00:00:01', '00:00:02.250'], [0, 2, 3.25]],
    ['times from the newest to the oldest', ['00:00:01', '23:59:59'], [0, -2]],
    ['what has elapsed', ['0:59.500', '1:00:00.500', '13:00:00.500', '25:00:00.500'], [0, 3_541, 46_741, 89_941]],
    ['milliseconds since 1970', ['1800000000000', '1800000001500'], [0, 1.5]],
    ['an hour that a zone explains', ['2027-05-01T10:00:00+02:00', '2027-05-01T09:00:00Z'], [0, 3_600]],
    ['noon and midnight', ['5/8/2027 12:00:00 AM', '5/8/2027 12:00:00 p.m.'], [0, 43_200]],
    [
      'no time and no date',
      ['2027-05-01 10:00:00', '2027-02-30 10:00', '2027-05-01 10:60', '13:00 PM', ''],
      [0, NaN, NaN, NaN, NaN],
    ],
  ])('reads %s', (_what, texts, seconds) => {
    const times = readTimes(texts, null);
    const [first = NaN] = times;
    expect(times.map((at) => (at - first) / 1_000)).toEqual(seconds);
  });
});

describe('readWfdb', () => {
  const header = ['# invented', 'night1 3 1 4 22:00:00 01/05/2027'];
  const signal = (scale: string, name: string): string => `night1.dat 16 ${scale} 0 0 0 0 0 ${name}`;
  const words = (...values: number[]): Uint8Array => {
    const bytes = Buffer.alloc(2 * values.length);
    values.forEach((value, index) => bytes.writeInt16LE(value, 2 * index));
    return bytes;
  };
  const readRecord = (text: string[], bytes: Uint8Array = words()): Recording =>
    read(text.join('\n'), { readBeside: () => bytes });

  it.each([
    ['has the signal "n.dat 212 1 HR"; only those of format 16 are read', ['n 1 1', 'n.dat 212 1 HR']],
    ['has the signal "n.dat 16x4 1 HR"', ['n 1 1', 'n.dat 16x4 1 HR']],
    ['several segments', ['n/2 1 1 100', 'n_1 50', 'n_2 50']],
    ['has 125 samples a second, as waveforms have', ['n 1 125', 'n.dat 16 1 RESP']],
    ['has 250 samples a second', ['n 1', 'n.dat 16 1 RESP']],
    ['names 2 signals with 0 samples, and not all of them are there', ['n 2 1', 'n.dat 16 1 HR']],
    ['has the signal "../other/n.dat 16 1 HR"', ['n 1 1', '../other/n.dat 16 1 HR']],
    ['names 1 signals with 9 samples, and not all of them are there', ['n 1 1 9', 'n.dat 16 1 HR']],
  ])('refuses a record that %s', (message, text) => {
    expect(() => readText(text.join('\n'), { readBeside: () => words() })).toThrow(message);
  });

  it('reads signals of one file in turn, with gain, baseline and unit, 0 as no signal and the least as nothing', () => {
    const text = [...header, signal('10(5)/bpm', 'HR,'), signal('1/%', '%SpO2'), signal('1', 'T1')];
    const recording = readRecord(text, words(805, 97, 36, 5, 0, 36, -32_768, 96, 36, 815, -32_768, 36));
    expect(recording).toMatchObject({
      format: 'wfdb',
      expectedEveryMs: 1_000,
      skipped: { 'no value (empty or NaN)': 2, 'no kind for it': 4 },
    });
    expect(recording.samples).toEqual([
      { kind: 'heartRate', value: 80, atMs: 0, quality: 'good' },
      { kind: 'spo2', value: 97, atMs: 0, quality: 'good' },
      { kind: 'heartRate', value: 0, atMs: 1_000, quality: 'invalid' },
      { kind: 'spo2', value: 0, atMs: 1_000, quality: 'invalid' },
      { kind: 'spo2', value: 96, atMs: 2_000, quality: 'good' },
      { kind: 'heartRate', value: 81, atMs: 3_000, quality: 'good' },
    ]);
  });

  it('reads one row a minute as such, and all there are where the header does not say how many', () => {
    const recording = readRecord(['n 1 0.0166666666667 0', 'n.dat 16 1/bpm 0 0 0 0 0 HR'], words(70, 71));
    expect(recording.samples.map(({ atMs }) => atMs)).toEqual([0, 60_000]);
    expect(recording.expectedEveryMs).toBe(60_000);
  });

  it('reads back every sample, from where the header says', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -32_767, max: 32_767 })), (values) => {
        const bytes = Uint8Array.from([1, 2, 3, ...words(...values)]);
        const rows = readWfdb(`n 1 1 ${values.length}\nn.dat 16+3 1 0 0 0 0 0 HR`, () => bytes);
        expect(rows.map((row) => Number(row.HR))).toEqual(values);
      }),
      fuzzRuns,
    );
  });
});

describe('readAppleHealth', () => {
  const record = (type: string, unit: string, value: string, time: string, source = 'Watch'): string =>
    ` <Record type="HKQuantityTypeIdentifier${type}" sourceName='${source}' unit="${unit}" ` +
    `creationDate="2027-05-02 09:00:00 +0200" startDate="${time}" endDate="${time}" value="${value}"/>`;
  const read = (...records: string[]) =>
    readText(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<!DOCTYPE HealthData [',
        '<!ELEMENT Record (MetadataEntry*)>',
        ']>',
        '<HealthData locale="en_GB">',
        ...records,
        '</HealthData>',
      ].join('\n'),
    );

  it('plays saturation as percent, a heart rate as pulse, and the breaths of a minute', () => {
    const recording = read(
      record('OxygenSaturation', '%', '0.97', '2027-05-02 22:00:00 +0200'),
      record('HeartRate', 'count/min', '61', '2027-05-02 20:00:05 +0000'),
      record('RespiratoryRate', 'count/min', '14.5', '2027-05-02 22:00:10 +0200').replace(
        '/>',
        '>\n  <MetadataEntry key="a" value="b > c"/>\n </Record>',
      ),
      record('OxygenSaturation', '%', '1', '2027-05-02 22:00:15 +0200'),
    );
    expect(recording).toMatchObject({ format: 'applehealth', expectedEveryMs: 5_000, skipped: {} });
    expect(recording.samples).toEqual([
      { kind: 'spo2', value: 97, atMs: 0, quality: 'good' },
      { kind: 'pulseRate', value: 61, atMs: 5_000, quality: 'good' },
      { kind: 'respiratoryRate', value: 14.5, atMs: 10_000, quality: 'good' },
      { kind: 'spo2', value: 100, atMs: 15_000, quality: 'good' },
    ]);
  });

  it('counts what it does not play: another unit, and the app that wrote less of a kind', () => {
    const time = '2027-05-02 22:00:00 +0200';
    const recording = read(
      record('HeartRate', 'count/min', '60', time, 'Ring'),
      record('HeartRate', 'count/min', '61', time),
      record('HeartRate', 'count/min', '62', '2027-05-02 22:01:00 +0200'),
      record('HeartRate', 'count/s', '1', time),
      record('HeartRate', 'count/min', 'high', time),
      record('HeartRate', 'count/min', '63', 'soon'),
      record('StepCount', 'count', '12', time),
    );
    expect(recording.samples.map(({ value }) => value)).toEqual([61, 62]);
    expect(recording.skipped).toEqual({
      'second device of the same kind': 1,
      'not a number': 1,
      'unreadable time': 1,
      'no kind for it': 1,
    });
  });
});

describe('decodeText', () => {
  it.each([
    ['UTF-8', Buffer.from('Time,SpO₂ %')],
    ['UTF-16', Buffer.from('Time,SpO₂ %', 'utf16le')],
    ['UTF-16 the other way round', Buffer.from('Time,SpO₂ %', 'utf16le').swap16()],
  ])('reads %s without an order mark', (_name, bytes) => {
    expect(decodeText(bytes)).toBe('Time,SpO₂ %');
  });

  it('reads the letters of Windows where it is not UTF-8', () => {
    expect(decodeText(Buffer.from('Ger\xe4t', 'latin1'))).toBe('Gerät');
  });

  it('reads no byte at all', () => {
    expect(decodeText(new Uint8Array())).toBe('');
  });
});

describe('recordings', () => {
  /** Real recordings of de-identified patients, which are not part of this repository. */
  const folder = process.env.RECORDINGS_DIR ?? resolve(process.cwd(), '../shared/data');

  /** `describe` for a folder that is there, else `describe.skip` and a line that says why. */
  function describeIfThere(name: string): typeof describe {
    if (existsSync(join(folder, name))) {
      return describe;
    }
    process.stderr.write(
      `${name}: skipped, because ${join(folder, name)} is not there (RECORDINGS_DIR names another folder)\n`,
    );
    return describe.skip;
  }

  function load(...path: string[]): string {
    return readFileSync(join(folder, ...path), 'utf8');
  }

  function values(recording: Recording, kind: VitalKind): number[] {
    return recording.samples
      .filter((sample) => sample.kind === kind)
      .map(({ value }) => value)
      .filter((value) => typeof value === 'number');
  }

  function range(numbers: readonly number[]): [number, number] {
    return [Math.min(...numbers), Math.max(...numbers)];
  }

  function skippedRows(recording: Recording): number {
    return Object.values(recording.skipped).reduce((sum, count) => sum + count, 0);
  }

  describeIfThere('bidmc-numerics')('bidmc-numerics', () => {
    const kindOf = { HR: 'heartRate', PULSE: 'pulseRate', RESP: 'respiratoryRate', SpO2: 'spo2' } as const;

    it('reads of every record as many values as its index names, with the same lowest and highest', () => {
      const index = readTable(load('bidmc-numerics', 'index.csv'), ',', ['record', 'rows', 'HR_missing']);
      expect(index.length).toBeGreaterThan(0);
      for (const row of index) {
        const recording = readText(load('bidmc-numerics', `bidmc_${row.record}_Numerics.csv`));
        expect(recording).toMatchObject({ format: 'columns', expectedEveryMs: 1_000 });
        for (const [column, kind] of Object.entries(kindOf)) {
          const found = values(recording, kind);
          const told = {
            count: Number(row.rows) - Number(row[`${column}_missing`]),
            range: [Number(row[`${column}_min`]), Number(row[`${column}_max`])],
          };
          expect({ record: row.record, kind, count: found.length, range: range(found) }).toEqual({
            record: row.record,
            kind,
            ...told,
          });
        }
      }
    });
  });

  describeIfThere('mimic-waveform-numerics')('mimic-waveform-numerics', () => {
    const name = (): string =>
      readdirSync(join(folder, 'mimic-waveform-numerics')).find((file) => file.endsWith('.csv')) ?? 'no csv there';

    it('plays every 0 as "no signal" and every other value as it is, and the cuff rather than the silent line', () => {
      const text = load('mimic-waveform-numerics', name());
      const rows = readTable(text, ',', ['minute', 'HR', 'PULSE', 'RESP', 'SpO2', 'NBPSys', 'NBPDias']);
      const recording = readText(text);
      expect(recording).toMatchObject({ format: 'columns', expectedEveryMs: 60_000 });
      const columns = {
        HR: 'heartRate',
        PULSE: 'pulseRate',
        RESP: 'respiratoryRate',
        SpO2: 'spo2',
        NBPSys: 'systolic',
        NBPDias: 'diastolic',
      } as const;
      for (const [column, kind] of Object.entries(columns)) {
        const told = rows
          .map((row) => row[column] ?? '')
          .filter((text) => text !== '')
          .map(Number);
        const played = recording.samples.filter((sample) => sample.kind === kind);
        expect(played.map(({ value }) => value)).toEqual(told);
        expect(played.every(({ value, quality }) => (value === 0) === (quality === 'invalid'))).toBe(true);
      }
      expect(recording.samples.some(({ kind, quality }) => kind === 'spo2' && quality === 'invalid')).toBe(true);
      expect(recording.samples.at(-1)?.atMs).toBe((rows.length - 1) * 60_000);
    });

    it('plays the same by its header and samples as by its table', () => {
      const header = load('mimic-waveform-numerics', name().replace('.csv', '.hea'));
      const readBeside = (file: string) => readFileSync(join(folder, 'mimic-waveform-numerics', file));
      const { samples, expectedEveryMs } = readText(header, { readBeside });
      const byTable = readText(load('mimic-waveform-numerics', name()));
      expect({ samples, expectedEveryMs }).toEqual({
        samples: byTable.samples,
        expectedEveryMs: byTable.expectedEveryMs,
      });
    });
  });

  describeIfThere('physionet-2019')('physionet-2019', () => {
    const kindOf = {
      HR: 'heartRate',
      O2Sat: 'spo2',
      Temp: 'temperature',
      SBP: 'systolic',
      DBP: 'diastolic',
      Resp: 'respiratoryRate',
    } as const;

    it('reads of every patient as many values as the index names, with the same lowest and highest', () => {
      const index = readTable(load('physionet-2019', 'index.csv'), ',', ['file', 'hours', 'HR_n']);
      expect(index.length).toBeGreaterThan(0);
      for (const row of index) {
        const recording = readText(load('physionet-2019', row.file ?? ''));
        expect(recording).toMatchObject({ format: 'columns', expectedEveryMs: 3_600_000 });
        for (const [column, kind] of Object.entries(kindOf)) {
          const found = values(recording, kind);
          const count = Number(row[`${column}_n`]);
          const told = {
            count,
            range: count === 0 ? [Infinity, -Infinity] : [Number(row[`${column}_min`]), Number(row[`${column}_max`])],
          };
          expect({ file: row.file, kind, count: found.length, range: range(found) }).toEqual({
            file: row.file,
            kind,
            ...told,
          });
        }
        expect(values(recording, 'oxygenFlow')).toEqual([]);
      }
    });
  });

  describeIfThere('mimic-iii-demo-vitals')('mimic-iii-demo-vitals', () => {
    const needed = ['icustay_id', 'rows', 'hr', 'spo2', 'rr', 'min_spo2'];
    const stays = (): Row[] => readTable(load('mimic-iii-demo-vitals', 'stays.csv'), ',', needed);

    it('accounts for every row of every stay: played or skipped for a reason it knows', () => {
      for (const stay of stays()) {
        const recording = readText(load('mimic-iii-demo-vitals', `stay_${stay.icustay_id}.csv`));
        expect(recording.format).toBe('chartevents');
        expect({ stay: stay.icustay_id, rows: recording.samples.length + skippedRows(recording) }).toEqual({
          stay: stay.icustay_id,
          rows: Number(stay.rows),
        });
        expect(recording.skipped).not.toHaveProperty('unknown item');
        expect(recording.skipped).not.toHaveProperty('unreadable time');
        expect(recording.skipped).not.toHaveProperty('unit does not fit');
        expect(recording.skipped).not.toHaveProperty('not a number');
      }
    });

    it('plays the heart rates, saturations and respiratory rates that the list of stays counts', () => {
      for (const stay of stays()) {
        const text = load('mimic-iii-demo-vitals', `stay_${stay.icustay_id}.csv`);
        const recording = readText(text);
        const rows = readTable(text, ',', ['itemid', 'valuenum']);
        // The list counts rows (two of SpO2 contain no number), and counts the ventilator's "Resp Rate (Total)", which
        // is not played beside the patient's own rate.
        const withoutNumber = rows.filter((row) => row.itemid === '646' && row.valuenum === '').length;
        const ventilator = rows.filter((row) => row.itemid === '615').length;
        const played = (kind: VitalKind): number => values(recording, kind).length;
        expect({
          stay: stay.icustay_id,
          hr: played('heartRate'),
          spo2: played('spo2'),
          rr: played('respiratoryRate'),
        }).toEqual({
          stay: stay.icustay_id,
          hr: Number(stay.hr),
          spo2: Number(stay.spo2) - withoutNumber,
          rr: Number(stay.rr) - ventilator,
        });
        // The list's lowest saturation leaves out 0, which is "no signal".
        const measured = recording.samples.filter(({ kind, quality }) => kind === 'spo2' && quality === 'good');
        expect(Math.min(...values({ ...recording, samples: measured }, 'spo2'))).toBe(Number(stay.min_spo2));
      }
    });

    it('plays no row flagged as an error and no alarm limit, and sends late entries late', () => {
      let late = 0;
      for (const stay of stays()) {
        const text = load('mimic-iii-demo-vitals', `stay_${stay.icustay_id}.csv`);
        const { samples, skipped } = readText(text);
        const rows = readTable(text, ',', ['itemid', 'error']);
        const flagged = rows.filter((row) => row.error === '1');
        const limits = rows.filter((row) => row.error !== '1' && /alarm|limit/i.test(row.label ?? ''));
        expect(skipped['flagged as a charting error'] ?? 0).toBe(flagged.length);
        expect(skipped['alarm limit'] ?? 0).toBe(limits.length);
        late += samples.filter(({ atMs, enteredAtMs }) => (enteredAtMs ?? atMs) > atMs).length;
      }
      expect(late).toBeGreaterThan(0);
    });

    it('knows every item of the list', () => {
      const items = readTable(load('mimic-iii-demo-vitals', 'items.csv'), ',', ['itemid']);
      expect(items.filter((item) => !chartItems.has(item.itemid ?? ''))).toEqual([]);
    });
  });
});
