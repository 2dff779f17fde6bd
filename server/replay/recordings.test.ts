import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { VitalKind } from '../../lib/vitals/kinds';
import { chartItems } from './chartItems';
import { readRecording } from './readRecording';
import { readTable, type Row } from './readTable';
import type { Recording } from './recording';

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
