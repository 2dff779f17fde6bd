import { readColumns, type ColumnUse } from './readColumns';
import { readTable } from './readTable';
import { signalQuality, type Recording } from './recording';

const second = 1_000;

/**
 * Reads the numerics of PhysioNet's BIDMC recordings: one row a second, `Time [s], HR, PULSE, RESP, SpO2`, missing =
 * NaN or empty. A missing second is no sample, so the gap stays open.
 */
export function readBidmc(text: string): Recording {
  const read = readColumns(readTable(text, ',', ['Time [s]']), {
    time: 'Time [s]',
    unitMs: second,
    plan: new Map<string, ColumnUse>([
      ['HR', 'heartRate'],
      ['PULSE', 'pulseRate'],
      ['RESP', 'respiratoryRate'],
      ['SpO2', 'spo2'],
    ]),
    qualityOf: signalQuality,
  });
  return { ...read, expectedEveryMs: second };
}
