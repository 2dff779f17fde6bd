import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { VitalKind } from '../../lib/vitals/kinds';
import { celsiusOf, chartItems } from './chartItems';
import { describeRecording } from './describeRecording';
import { readBidmc, detectFormat, readRecording, readChallenge2019, readMinutes } from './readRecording';
import { readChartEvents } from './readChartEvents';
import { readTable, type Row } from './readTable';
import { type Recording, UnreadableRecording } from './recording';

describe('describeRecording', () => {
  it('says that a recording holds nothing', () => {
    expect(
      describeRecording('a.csv', 'A-1', { format: 'bidmc', samples: [], expectedEveryMs: 1_000, skipped: {} }),
    ).toEqual(['a.csv -> MRN A-1: bidmc, 0 samples in 0s, one every 1s']);
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

describe('readBidmc', () => {
  const header = 'Time [s], HR, PULSE, RESP, SpO2';

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

describe('readChallenge2019', () => {
  const header = 'HR|O2Sat|Temp|SBP|MAP|DBP|Resp|FiO2|Lactate|Age|Gender|ICULOS|SepsisLabel';

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

describe('readMinutes', () => {
  const header = 'minute,HR,ABPSys,ABPDias,ABPMean,PULSE,RESP,SpO2,NBPSys,NBPDias,NBPMean';

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

describe('readRecording', () => {
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
        const recording = readRecording(load('bidmc-numerics', `bidmc_${row.record}_Numerics.csv`), {});
        expect(recording).toMatchObject({ format: 'bidmc', expectedEveryMs: 1_000 });
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
      const recording = readRecording(text, {});
      expect(recording).toMatchObject({ format: 'minutes', expectedEveryMs: 60_000 });
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
        const recording = readRecording(load('physionet-2019', row.file ?? ''), {});
        expect(recording).toMatchObject({ format: 'challenge2019', expectedEveryMs: 3_600_000 });
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
        const recording = readRecording(load('mimic-iii-demo-vitals', `stay_${stay.icustay_id}.csv`), {});
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
        const recording = readRecording(text, {});
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
        const { samples, skipped } = readRecording(text, {});
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
