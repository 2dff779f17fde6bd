import { readColumns, type ColumnUse } from './readColumns';
import { readTable } from './readTable';
import { signalQuality, type Recording } from './recording';

const hour = 3_600_000;

/**
 * Reads a patient of the PhysioNet Challenge 2019: columns separated by "|", one row an hour (ICULOS), NaN = not
 * charted that hour. The values are hourly medians, so halves occur and are sent as they stand. FiO2 is a fraction and
 * never becomes an oxygen flow.
 */
export function readChallenge2019(text: string): Recording {
  const read = readColumns(readTable(text, '|', ['ICULOS']), {
    time: 'ICULOS',
    unitMs: hour,
    plan: new Map<string, ColumnUse>([
      ['HR', 'heartRate'],
      ['O2Sat', 'spo2'],
      ['Temp', 'temperature'],
      ['SBP', 'systolic'],
      ['DBP', 'diastolic'],
      ['Resp', 'respiratoryRate'],
      ['MAP', { skip: 'mean pressure' }],
      ['FiO2', { skip: 'oxygen fraction, not a flow' }],
      // Facts about the patient or the stay, repeated on every row.
      ['Age', null],
      ['Gender', null],
      ['Unit1', null],
      ['Unit2', null],
      ['HospAdmTime', null],
      ['SepsisLabel', null],
    ]),
    qualityOf: signalQuality,
  });
  return { ...read, expectedEveryMs: hour };
}
