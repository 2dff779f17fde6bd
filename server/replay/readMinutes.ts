import { readColumns, type ColumnUse } from './readColumns';
import { readNumber } from './readNumber';
import { readTable, type Row } from './readTable';
import { richerSource, type PressureSource, type Recording } from './recording';

const minute = 60_000;

/**
 * Reads the numerics records of the MIMIC waveform database: one row a minute, empty = not measured. A value of 0 means
 * "no signal" (probe or lead off) under every name of this format, so it is played as an invalid 0: the gap shows and
 * the technical rules evaluate it.
 */
export function readMinutes(text: string, pressure?: PressureSource): Recording {
  const rows = readTable(text, ',', ['minute']);
  const source = pressure ?? richerSource(readings(rows, 'NBPSys'), readings(rows, 'ABPSys'));
  const cuff = source === 'cuff';
  const other: ColumnUse = { skip: 'other pressure source' };
  const read = readColumns(rows, {
    time: 'minute',
    unitMs: minute,
    plan: new Map<string, ColumnUse>([
      ['HR', 'heartRate'],
      ['PULSE', 'pulseRate'],
      ['RESP', 'respiratoryRate'],
      ['SpO2', 'spo2'],
      ['NBPSys', cuff ? 'systolic' : other],
      ['NBPDias', cuff ? 'diastolic' : other],
      ['ABPSys', cuff ? other : 'systolic'],
      ['ABPDias', cuff ? other : 'diastolic'],
      ['NBPMean', { skip: 'mean pressure' }],
      ['ABPMean', { skip: 'mean pressure' }],
    ]),
    qualityOf: (_kind, value) => (value === 0 ? 'invalid' : 'good'),
  });
  return { ...read, expectedEveryMs: minute };
}

function readings(rows: readonly Row[], column: string): number {
  return rows.filter((row) => {
    const value = readNumber(row[column]);
    return typeof value === 'number' && value > 0;
  }).length;
}
